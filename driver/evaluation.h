// SPDX-License-Identifier: Apache-2.0
//
// Evaluation: times repeated runs of a stream on the machine of the device, without the
// latency of the connection to a remote device.
#ifndef VTA_DRIVER_EVALUATION_H_
#define VTA_DRIVER_EVALUATION_H_

#include <cstdint>
#include <vector>

#include "driver/device.h"

namespace vta::driver {

struct Evaluation {
  hw::Counters counters;        // of the last run
  std::vector<double> seconds;  // per run, by sample: the mean of the sample's runs
};

inline constexpr uint32_t kMaxSampleRuns = 1'000'000;
inline constexpr uint32_t kMaxSamplesOfEvaluation = 4096;

// An evaluation that the caller advances run by run, so that it can do other work between runs.
class IncrementalEvaluation {
 public:
  // `repeat` samples of `number` runs each. Errors: kInvalidArgument if either is 0 or exceeds its
  // limit above.
  IncrementalEvaluation(uint32_t number, uint32_t repeat);

  bool done() const { return result_.seconds.size() == repeat_; }
  // Runs the stream once. Errors: any error of Device::run().
  void run_once(Device& device, const RunRequest& request);
  // Valid once done().
  const Evaluation& result() const { return result_; }

 private:
  const uint32_t number_, repeat_;
  uint32_t runs_ = 0;          // of the current sample
  double sample_seconds_ = 0;  // sum of those runs
  Evaluation result_;
};

// A remote device that times runs on its own machine.
class EvaluatingDevice {
 public:
  virtual ~EvaluatingDevice() = default;
  virtual Evaluation evaluate(const RunRequest& request, uint32_t number, uint32_t repeat) = 0;
};

// Runs the stream number x repeat times. Each run starts with the arena as the previous run left
// it. Errors: as IncrementalEvaluation.
Evaluation evaluate(Device& device, const RunRequest& request, uint32_t number, uint32_t repeat);

}  // namespace vta::driver

#endif  // VTA_DRIVER_EVALUATION_H_
