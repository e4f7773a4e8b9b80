// SPDX-License-Identifier: Apache-2.0
//
// Pipeline: runs a program on many inputs with several inferences in flight. While the device works
// on one, the host packs the inputs and computes the host operators of the others. Each inference
// in flight has a session, with an arena of its own, and a thread.
#ifndef VTA_RUNTIME_SESSION_PIPELINE_H_
#define VTA_RUNTIME_SESSION_PIPELINE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "driver/device.h"
#include "runtime/program/program.h"
#include "runtime/session/session.h"

namespace vta {

class Pipeline {
 public:
  // `device` outlives the pipeline. Fewer inferences than `max_in_flight` are in flight if the
  // device's memory does not hold an arena for each. Errors: as Session().
  Pipeline(const Program& program, driver::Device& device, const HostExecutor& host,
           size_t max_in_flight);

  size_t in_flight() const { return sessions_.size(); }

  struct Inference {
    std::vector<Tensor> outputs;
    InferenceReport report;
    double latency_seconds = 0;  // from the inputs to the outputs
  };
  // The inputs of the next inference; nullopt after the last one.
  using Next = std::function<std::optional<std::vector<Tensor>>()>;
  using Done = std::function<void(const Inference& inference)>;

  // Runs inferences until next() returns nullopt, and calls done() for each, in the order of the
  // inputs. Neither function is called by two threads at once, but next() may be called while
  // done() runs, and both by any thread. Errors: as Session::run(), next() and done(), for the
  // earliest input that fails; done() has been called for all inputs before it, and for none after
  // it.
  void run(const Next& next, const Done& done);

 private:
  std::mutex device_turn_;
  std::vector<std::unique_ptr<Session>> sessions_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_SESSION_PIPELINE_H_
