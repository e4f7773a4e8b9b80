// SPDX-License-Identifier: Apache-2.0
#include "driver/evaluation.h"

#include "base/limits/stopwatch.h"

namespace vta::driver {
namespace {

void require(const char* name, uint32_t value, uint32_t limit) {
  if (value < 1 || value > limit) {
    fail(ErrorCode::kInvalidArgument, "evaluation: {} is {}, expected 1 to {}", name, value, limit);
  }
}

}  // namespace

IncrementalEvaluation::IncrementalEvaluation(uint32_t number, uint32_t repeat)
    : number_(number), repeat_(repeat) {
  require("number", number, kMaxSampleRuns);
  require("repeat", repeat, kMaxSamplesOfEvaluation);
}

void IncrementalEvaluation::run_once(Device& device, const RunRequest& request) {
  VTA_ASSERT(!done(), "the evaluation is complete");
  const Stopwatch stopwatch;
  result_.counters = device.run(request);
  sample_seconds_ += stopwatch.seconds();
  if (++runs_ < number_) return;
  result_.seconds.push_back(sample_seconds_ / number_);
  runs_ = 0;
  sample_seconds_ = 0;
}

Evaluation evaluate(Device& device, const RunRequest& request, uint32_t number, uint32_t repeat) {
  if (const auto remote = dynamic_cast<EvaluatingDevice*>(&device)) {
    return remote->evaluate(request, number, repeat);
  }
  IncrementalEvaluation evaluation(number, repeat);
  while (!evaluation.done()) evaluation.run_once(device, request);
  return evaluation.result();
}

}  // namespace vta::driver
