// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/pipeline.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/support/error_in.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta {
namespace {

// A program of one host operator, whose inputs are numbers.
Program host_program(uint64_t arena_bytes = 0) {
  Program p;
  p.core = test::core_named("tiny_1x8");
  p.arena_bytes = arena_bytes;
  const TensorType number{DType::kInt32, {1}};
  p.values.resize(2);
  p.values[0].type = p.values[1].type = number;
  ProgramStep step;
  step.layer = "relu";
  step.op = OpKind::kRelu;
  step.inputs = {0};
  step.outputs = {1};
  p.steps = {step};
  p.inputs = {{.value = 0, .image = {}, .sample = ""}};
  p.outputs = {{.value = 1, .labels = ""}};
  return p;
}

Tensor number(int32_t value) {
  Tensor tensor(TensorType{DType::kInt32, {1}});
  tensor.mutable_data<int32_t>()[0] = value;
  return tensor;
}
int32_t value_of(const Tensor& tensor) { return tensor.data<int32_t>()[0]; }

// Memory for some arenas, without runs.
class MemoryOnly : public driver::Device {
 public:
  explicit MemoryOnly(int arenas) : arenas_(arenas) {}
  driver::DeviceDescription describe() const override {
    return {"memory", test::core_named("tiny_1x8"), false};
  }
  driver::DeviceAddress allocate(uint64_t) override {
    if (arenas_-- == 0) fail(ErrorCode::kOutOfMemory, "no more arenas");
    return {4096};
  }
  void free(driver::DeviceAddress) override {}
  void copy_in(driver::DeviceAddress, std::span<const uint8_t>) override {}
  void copy_out(std::span<uint8_t>, driver::DeviceAddress) override {}
  hw::Counters run(const driver::RunRequest&) override { return {}; }

 private:
  int arenas_;
};

// 0, 1, ..., count - 1.
Pipeline::Next numbers(int count) {
  return [count, next = 0]() mutable -> std::optional<std::vector<Tensor>> {
    if (next == count) return std::nullopt;
    return std::vector{number(next++)};
  };
}

TEST(Pipeline, CallsDoneInTheOrderOfTheInputs) {
  MemoryOnly device(0);
  // Every second inference takes longer than the one after it.
  const HostExecutor host = [](OpKind, const OpAttrs&, const std::vector<Tensor>& inputs) {
    const int32_t x = value_of(inputs[0]);
    if (x % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return number(10 * x);
  };
  for (size_t in_flight : {1, 2, 4}) {
    Pipeline pipeline(host_program(), device, host, in_flight);
    EXPECT_EQ(pipeline.in_flight(), in_flight);
    std::vector<int32_t> results;
    pipeline.run(numbers(50), [&](const Pipeline::Inference& inference) {
      results.push_back(value_of(inference.outputs.at(0)));
    });
    ASSERT_EQ(results.size(), 50u);
    for (int32_t i = 0; i < 50; ++i) EXPECT_EQ(results[static_cast<size_t>(i)], 10 * i);
  }
}

// Each of two host operators returns only when the other one has started.
TEST(Pipeline, OverlapsHostOperators) {
  MemoryOnly device(0);
  std::mutex mutex;
  std::condition_variable changed;
  int started = 0;
  const HostExecutor host = [&](OpKind, const OpAttrs&, const std::vector<Tensor>& inputs) {
    std::unique_lock lock(mutex);
    ++started;
    changed.notify_all();
    EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(60), [&] { return started == 2; }));
    return inputs[0];
  };
  Pipeline pipeline(host_program(), device, host, 2);
  pipeline.run(numbers(2), [](const Pipeline::Inference&) {});
  EXPECT_EQ(started, 2);
}

TEST(Pipeline, ReportsTheErrorOfTheEarliestInput) {
  MemoryOnly device(0);
  const HostExecutor host = [](OpKind, const OpAttrs&, const std::vector<Tensor>& inputs) {
    if (value_of(inputs[0]) >= 7) fail(ErrorCode::kUnsupported, "input {}", value_of(inputs[0]));
    return inputs[0];
  };
  for (size_t in_flight : {1, 2, 4}) {
    Pipeline pipeline(host_program(), device, host, in_flight);
    int done = 0;
    const Error error = expect_error(
        [&] { pipeline.run(numbers(50), [&](const Pipeline::Inference&) { ++done; }); });
    EXPECT_STREQ(error.what(), "relu: input 7");
    EXPECT_EQ(done, 7);
    pipeline.run(numbers(5), [&](const Pipeline::Inference&) { ++done; });
    EXPECT_EQ(done, 12) << "it can be used after an error";
  }
}

TEST(Pipeline, EndsWithTheErrorsOfItsCallers) {
  MemoryOnly device(0);
  const HostExecutor host = [](OpKind, const OpAttrs&, const std::vector<Tensor>& inputs) {
    return inputs[0];
  };
  Pipeline pipeline(host_program(), device, host, 2);
  int done = 0;
  const auto count = [&](const Pipeline::Inference&) { ++done; };
  auto two = numbers(2);
  const auto fails_third = [&] {
    auto inputs = two();
    if (!inputs) fail(ErrorCode::kIo, "no third input");
    return inputs;
  };
  EXPECT_THROW(pipeline.run(fails_third, count), Error);
  EXPECT_EQ(done, 2) << "those before are reported";
  const auto fails_at_once = [](const Pipeline::Inference&) { fail(ErrorCode::kIo, "full"); };
  EXPECT_THROW(pipeline.run(numbers(50), fails_at_once), Error);
}

TEST(Pipeline, HasFewerInFlightIfTheDevicesMemoryIsFull) {
  MemoryOnly one(1), none(0);
  const HostExecutor host = [](OpKind, const OpAttrs&, const std::vector<Tensor>& inputs) {
    return inputs[0];
  };
  EXPECT_EQ(Pipeline(host_program(4096), one, host, 4).in_flight(), 1u);
  EXPECT_THROW(Pipeline(host_program(4096), none, host, 4), Error);
}

}  // namespace
}  // namespace vta
