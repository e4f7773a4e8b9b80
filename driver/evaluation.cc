// SPDX-License-Identifier: Apache-2.0
#include "driver/evaluation.h"

#include "runtime/base/stopwatch.h"

namespace vta::driver {
namespace {

void require(const char* name, uint32_t value, uint32_t limit) {
  if (value < 1 || value > limit) {
    fail(ErrorCode::kInvalidArgument, "evaluation: {} is {}, must be from 1 to {}", name, value,
         limit);
  }
}

}  // namespace

EvaluationSteps::EvaluationSteps(uint32_t number, uint32_t repeat)
    : number_(number), repeat_(repeat) {
  require("number", number, kMaxSampleRuns);
  require("repeat", repeat, kMaxSamplesOfEvaluation);
}

void EvaluationSteps::step(Device& device, const RunRequest& request) {
  VTA_ASSERT(!done(), "all samples are there");
  const Stopwatch stopwatch;
  result_.counters = device.run(request);
  sample_seconds_ += stopwatch.seconds();
  if (++runs_ < number_) return;
  result_.seconds.push_back(sample_seconds_ / number_);
  runs_ = 0;
  sample_seconds_ = 0;
}

Evaluation evaluate(Device& device, const RunRequest& request, uint32_t number, uint32_t repeat) {
  if (const auto elsewhere = dynamic_cast<EvaluatingDevice*>(&device)) {
    return elsewhere->evaluate(request, number, repeat);
  }
  EvaluationSteps steps(number, repeat);
  while (!steps.done()) steps.step(device, request);
  return steps.result();
}

}  // namespace vta::driver
