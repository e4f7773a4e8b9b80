// SPDX-License-Identifier: Apache-2.0
//
// StreamRun: the steps of a program that are one instruction stream, and the reports of their
// layers.
#ifndef VTA_RUNTIME_SESSION_STREAM_RUN_H_
#define VTA_RUNTIME_SESSION_STREAM_RUN_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "driver/device.h"
#include "runtime/program/program.h"
#include "runtime/session/inference_report.h"

namespace vta {

class StreamRun {
 public:
  // `steps`: one of streams_of(program), which outlives the object.
  StreamRun(const Program& program, StreamSteps steps);

  StreamSteps steps() const { return steps_; }

  // Without arena and timeout.
  driver::RunRequest request() const;

  // The layer of an instruction of the stream.
  const std::string& layer_of(uint32_t instruction) const;

  // Fills in counters and seconds of the stream's layers. Their reports have the counters that
  // depend on instructions alone, except if the stream has one layer. A layer's cycles are those
  // from the end of the layer before to its own end; without `ends`, layers have no cycles. Seconds
  // are shared in proportion to cycles; without them, the last layer has all.
  static void report(const hw::Counters& run, const std::vector<driver::PartEnd>& ends,
                     double seconds, std::span<LayerReport> layers);

 private:
  const Program& program_;
  const StreamSteps steps_;
  std::vector<driver::RunPart> parts_;  // by step
};

}  // namespace vta

#endif  // VTA_RUNTIME_SESSION_STREAM_RUN_H_
