// SPDX-License-Identifier: Apache-2.0
//
// How long a stream takes: it is run many times and timed where the device is, without the way to
// it.
#ifndef VTA_DRIVER_EVALUATION_H_
#define VTA_DRIVER_EVALUATION_H_

#include <cstdint>
#include <vector>

#include "driver/device.h"

namespace vta::driver {

struct Evaluation {
  Counters counters;            // of the last run
  std::vector<double> seconds;  // a run's, by sample: the mean of the runs of one sample
};

inline constexpr uint32_t kMaxSampleRuns = 1'000'000;
inline constexpr uint32_t kMaxSamplesOfEvaluation = 4096;

// An evaluation run by run, for those who do something else between runs.
class EvaluationSteps {
 public:
  // `repeat` samples of `number` runs each. Errors: kInvalidArgument if either is 0 or beyond its
  // limit above.
  EvaluationSteps(uint32_t number, uint32_t repeat);

  bool done() const { return result_.seconds.size() == repeat_; }
  // Runs once. Errors: those of Device::run().
  void step(Device& device, const RunRequest& request);
  // When it is done.
  const Evaluation& result() const { return result_; }

 private:
  const uint32_t number_, repeat_;
  uint32_t runs_ = 0;          // of the sample
  double sample_seconds_ = 0;  // of these runs
  Evaluation result_;
};

// A device that is elsewhere and evaluates there.
class EvaluatingDevice {
 public:
  virtual ~EvaluatingDevice() = default;
  virtual Evaluation evaluate(const RunRequest& request, uint32_t number, uint32_t repeat) = 0;
};

// Runs the stream number x repeat times on what its arena holds; each run finds the arena as the
// one before left it. Errors: as EvaluationSteps.
Evaluation evaluate(Device& device, const RunRequest& request, uint32_t number, uint32_t repeat);

}  // namespace vta::driver

#endif  // VTA_DRIVER_EVALUATION_H_
