// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

#include "base/limits/memory_limit.h"
#include "tests/support/error_in.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta {
namespace {

using driver::DeviceAddress;
using hw::Counters;

// Records the session's calls; its runs copy the input tensor to the output tensor.
class RecordingDevice : public driver::Device {
 public:
  explicit RecordingDevice(CoreConfig core) : core_(std::move(core)) {}

  driver::DeviceDescription describe() const override { return {"recording", core_, false}; }
  DeviceAddress allocate(uint64_t size_bytes) override {
    memory.assign(size_bytes, 0);
    return {kBase};
  }
  void free(DeviceAddress) override { ++num_frees; }
  void copy_in(DeviceAddress dst, std::span<const uint8_t> src) override {
    if (!copies_in.empty()) on_use();  // not for the image
    copies_in.push_back(src.size());
    std::ranges::copy(src, memory.begin() + static_cast<std::ptrdiff_t>(dst.bytes - kBase));
  }
  void copy_out(std::span<uint8_t> dst, DeviceAddress src) override {
    on_use();
    std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(src.bytes - kBase), dst.size(),
                dst.begin());
  }
  Counters run(const driver::RunRequest& request) override {
    EXPECT_EQ(request.arena.bytes, kBase);
    on_use();
    if (fails) throw driver::DeviceFault(isa::kDeadlock, 3, 0, "instruction 3: waits for ever");
    std::memcpy(&memory[copy_to], &memory[copy_from], copy_bytes);
    requests.push_back(request);
    if (request.part_ends != nullptr) *request.part_ends = ends;
    Counters counters;
    counters.gemm_counter = request.num_instructions;
    if (cycles != 0) {
      counters.cycles = cycles;
      counters.stages.emplace();
    }
    return counters;
  }

  static constexpr uint64_t kBase = 8192;
  std::vector<uint8_t> memory;
  std::vector<size_t> copies_in;
  std::vector<driver::RunRequest> requests;
  std::vector<driver::PartEnd> ends;  // of the next runs
  uint64_t cycles = 0;                // of the next runs; 0: not counted
  int num_frees = 0;
  std::function<void()> on_use = [] {};  // called by copies and runs
  bool fails = false;
  size_t copy_from = 0, copy_to = 0, copy_bytes = 0;

 private:
  CoreConfig core_;
};

const TensorType kType{DType::kInt8, {1, 8, 2, 3}};

// pack -> a stream -> unpack -> a host operator.
Program copying_program() {
  Program p;
  p.core = test::core_named("tiny_1x8");
  p.arena_image.assign(64, 0);
  p.arena_bytes = 1024;
  const auto value = [](const char* name, bool on_device, uint64_t offset) {
    ProgramValue v;
    v.name = name;
    v.type = kType;
    v.on_device = on_device;
    v.arena_offset_bytes = offset;
    return v;
  };
  p.values = {value("x", false, 0), value("x", true, 64), value("conv", true, 128),
              value("conv", false, 0), value("relu", false, 0)};
  const auto step = [](ProgramStep::Kind kind, const char* layer, ValueId input, ValueId output) {
    ProgramStep s;
    s.kind = kind;
    s.layer = layer;
    s.inputs = {input};
    s.outputs = {output};
    return s;
  };
  using Kind = ProgramStep::Kind;
  p.steps = {step(Kind::kPack, "x", 0, 1), step(Kind::kCore, "conv", 1, 2),
             step(Kind::kUnpack, "conv", 2, 3), step(Kind::kHost, "relu", 3, 4)};
  p.steps[1].op = OpKind::kQConv2d;
  p.steps[1].num_instructions = 4;
  p.steps[3].op = OpKind::kRelu;
  p.inputs = {{.value = 0, .image = {}, .sample = ""}};
  p.outputs = {{.value = 4, .labels = ""}};
  return p;
}

Tensor negated(OpKind kind, const OpAttrs&, const std::vector<Tensor>& inputs) {
  EXPECT_EQ(kind, OpKind::kRelu);
  Tensor result = inputs.at(0);
  for (int8_t& value : result.mutable_data<int8_t>()) value = static_cast<int8_t>(-value);
  return result;
}

Tensor counting_tensor() {
  Tensor tensor(kType);
  int8_t next = 1;
  for (int8_t& value : tensor.mutable_data<int8_t>()) value = next++;
  return tensor;
}

class SessionTest : public testing::Test {
 protected:
  SessionTest() : program(copying_program()), device(program.core) {
    device.copy_from = 64;
    device.copy_to = 128;
    device.copy_bytes = packed_size_bytes(kType, program.core);
  }
  Program program;
  RecordingDevice device;
};

// Whether another thread could lock the mutex.
bool is_free(std::mutex& mutex) {
  bool locked = false;
  std::thread([&] {
    locked = mutex.try_lock();
    if (locked) mutex.unlock();
  }).join();
  return locked;
}

TEST_F(SessionTest, HoldsASharedDeviceButNotDuringHostOperators) {
  std::mutex turn;
  bool free_in_host = false;
  device.on_use = [&] { EXPECT_FALSE(is_free(turn)); };
  Session session(
      program, device,
      [&](OpKind, const OpAttrs&, const std::vector<Tensor>& inputs) {
        free_in_host = is_free(turn);
        return inputs[0];
      },
      &turn);
  session.run({counting_tensor()});
  EXPECT_TRUE(free_in_host);
  EXPECT_TRUE(is_free(turn));
  device.fails = true;
  EXPECT_THROW(session.run({counting_tensor()}), driver::DeviceFault);
  EXPECT_TRUE(is_free(turn)) << "after a fault";
}

// Two layers in one stream, of 1 and 3 instructions.
Program merged(Program p) {
  ProgramStep second = p.steps[1];
  p.values.push_back(p.values[2]);
  p.steps[1].num_instructions = 1;
  p.steps[1].continues = true;
  second.layer = "conv2";
  second.stream_offset_bytes = 16;
  second.num_instructions = 3;
  second.inputs = {2};
  second.outputs = {5};
  p.steps.insert(p.steps.begin() + 2, second);
  return p;
}

TEST_F(SessionTest, RunsALayersStreamWithThoseThatContinueIt) {
  program = merged(program);
  device.cycles = 100;
  device.ends = {{40, {}}, {90, {}}};
  Session session(program, device, negated);
  InferenceReport report;
  session.run({counting_tensor()}, &report);
  ASSERT_EQ(device.requests.size(), 1u);
  EXPECT_EQ(device.requests[0].num_instructions, 4u);
  EXPECT_EQ(device.requests[0].name, "conv to conv2");
  ASSERT_EQ(device.requests[0].parts.size(), 2u);
  EXPECT_EQ(device.requests[0].parts[0].end, 1u);
  EXPECT_EQ(device.requests[0].parts[1].name, "conv2");
  ASSERT_EQ(report.layers.size(), 5u);
  EXPECT_EQ(report.layers[1].counters.cycles, 40u);
  EXPECT_EQ(report.layers[2].counters.cycles, 60u) << "the last layer ends with the run";
  EXPECT_FALSE(report.layers[1].ends_run);
  EXPECT_TRUE(report.layers[2].ends_run);
  EXPECT_EQ(report.counters.cycles, 100u);
}

TEST_F(SessionTest, LayersOfAStreamHaveNoCyclesIfTheDeviceKnowsOnlyTheirSum) {
  program = merged(program);
  device.cycles = 100;
  Session session(program, device, negated);
  InferenceReport report;
  session.run({counting_tensor()}, &report);
  EXPECT_FALSE(report.layers[1].counters.cycles.has_value());
  EXPECT_FALSE(report.layers[2].counters.cycles.has_value());
  EXPECT_EQ(report.counters.cycles, 100u);
}

TEST_F(SessionTest, NamesTheLayerOfAFaultInAStream) {
  program = merged(program);
  device.fails = true;
  Session session(program, device, negated);
  try {
    session.run({counting_tensor()});
    FAIL() << "a fault";
  } catch (const driver::DeviceFault& fault) {
    EXPECT_STREQ(fault.what(), "conv2: instruction 3: waits for ever");
  }
}

TEST_F(SessionTest, MovesValuesThroughDeviceAndHost) {
  Session session(program, device, negated);
  std::vector<std::string> seen;
  session.on_value = [&](const ProgramValue& value, const Tensor&) {
    seen.push_back(value.name + (value.on_device ? " on device" : ""));
  };
  InferenceReport report;
  const auto outputs = session.run({counting_tensor()}, &report);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_TRUE(std::ranges::equal(outputs[0].bytes(),
                                 negated(OpKind::kRelu, {}, {counting_tensor()}).bytes()));
  EXPECT_EQ(seen, (std::vector<std::string>{"x on device", "conv on device", "conv", "relu"}));
  ASSERT_EQ(report.layers.size(), 4u);
  EXPECT_EQ(report.layers[0].op, "pack");
  EXPECT_EQ(report.layers[1].op, "qconv2d");
  EXPECT_EQ(report.layers[1].where, Place::kCore);
  EXPECT_EQ(report.layers[2].op, "unpack");
  EXPECT_EQ(report.layers[3].where, Place::kHost);
  EXPECT_EQ(report.counters.gemm_counter, 4u);
}

TEST_F(SessionTest, CopiesConstantsOnceAndInputsEachTime) {
  {
    Session session(program, device, negated);
    session.run({counting_tensor()});
    session.run({counting_tensor()});
    EXPECT_EQ(device.copies_in, (std::vector<size_t>{64, 48, 48}));
    EXPECT_EQ(device.num_frees, 0);
  }
  EXPECT_EQ(device.num_frees, 1);
}

// pack -> a stream -> unpack.
Program without_host_operator(Program p) {
  p.steps.pop_back();
  p.outputs[0].value = 3;
  return p;
}

using In = std::span<const uint8_t>;
using Out = std::span<uint8_t>;

TEST_F(SessionTest, PacksFromAndUnpacksToTheMemoryOfTheCaller) {
  program = without_host_operator(program);
  Session session(program, device, negated);
  const Tensor x = counting_tensor();
  std::vector<uint8_t> y(kType.num_bytes());
  InferenceReport report;
  const uint64_t limit = memory_limit_bytes();
  set_memory_limit_bytes(memory_in_use_bytes());  // space for no tensor
  std::vector<TensorType> types;
  EXPECT_NO_THROW(types = session.run(std::vector<In>{x.bytes()}, std::vector<Out>{y}, &report));
  set_memory_limit_bytes(limit);
  EXPECT_EQ(types, std::vector<TensorType>{kType});
  EXPECT_TRUE(std::ranges::equal(y, x.bytes()));
  EXPECT_EQ(report.copied_bytes, 0u);
}

// pack -> a stream -> unpack -> dequantize: 0.25 * x.
Program dequantizing(Program p) {
  p.steps[3].op = OpKind::kDequantize;
  p.steps[3].attrs.frac_bits = 2;
  p.values[4].type.dtype = DType::kFloat32;
  return p;
}

// x * 0.25 for counting_tensor().
std::vector<float> quarters() {
  std::vector<float> numbers;
  const Tensor x = counting_tensor();
  for (const int8_t element : x.data<int8_t>()) numbers.push_back(0.25f * element);
  return numbers;
}

TEST_F(SessionTest, DequantizesToTheMemoryOfTheCaller) {
  program = dequantizing(program);
  Session session(program, device, negated);  // which fails for dequantize
  std::vector<float> y(quarters().size());
  const auto bytes = std::as_writable_bytes(std::span(y));
  InferenceReport report;
  const auto types = session.run(
      std::vector<In>{counting_tensor().bytes()},
      std::vector<Out>{{reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}}, &report);
  EXPECT_EQ(types, std::vector<TensorType>{program.values[4].type});
  EXPECT_EQ(y, quarters());
  EXPECT_EQ(report.copied_bytes, 0u);
}

TEST_F(SessionTest, CopiesDequantizedNumbersToMemoryThatIsNotAlignedForThem) {
  program = dequantizing(program);
  const std::vector<float> expected = quarters();
  Session session(program, device, [&](OpKind, const OpAttrs&, const std::vector<Tensor>&) {
    return Tensor(kType.shape, expected);
  });
  std::vector<uint8_t> y(1 + expected.size() * sizeof(float));
  InferenceReport report;
  session.run(std::vector<In>{counting_tensor().bytes()}, std::vector<Out>{Out(y).subspan(1)},
              &report);
  EXPECT_EQ(std::memcmp(y.data() + 1, expected.data(), y.size() - 1), 0);
  EXPECT_EQ(report.copied_bytes, y.size() - 1);
}

TEST_F(SessionTest, CopiesResultsOfOtherHostOperatorsOnce) {
  Session session(program, device, negated);
  const Tensor x = counting_tensor();
  std::vector<uint8_t> y(kType.num_bytes());
  InferenceReport report;
  session.run(std::vector<In>{x.bytes()}, std::vector<Out>{y}, &report);
  EXPECT_TRUE(std::ranges::equal(y, negated(OpKind::kRelu, {}, {x}).bytes()));
  EXPECT_EQ(report.copied_bytes, kType.num_bytes());
}

TEST_F(SessionTest, CopiesOperandsOfHostOperatorsAndOutputsThatAStepReads) {
  program.steps[3].inputs = {0};
  program.outputs.push_back({.value = 3, .labels = ""});  // unpacked, read by no step
  program.outputs.push_back({.value = 0, .labels = ""});
  Session session(program, device, negated);
  const Tensor x = counting_tensor();
  std::vector<uint8_t> negative(kType.num_bytes()), unpacked(kType.num_bytes()),
      same(kType.num_bytes());
  InferenceReport report;
  session.run(std::vector<In>{x.bytes()}, std::vector<Out>{negative, unpacked, same}, &report);
  EXPECT_TRUE(std::ranges::equal(negative, negated(OpKind::kRelu, {}, {x}).bytes()));
  EXPECT_TRUE(std::ranges::equal(unpacked, x.bytes()));
  EXPECT_TRUE(std::ranges::equal(same, x.bytes()));
  EXPECT_EQ(report.copied_bytes, 3 * kType.num_bytes()) << "operand, result, input as output";
}

TEST_F(SessionTest, ObserversSeeWhatIsUnpackedForTheCaller) {
  program = without_host_operator(program);
  Session session(program, device, negated);
  std::vector<std::string> seen;
  const Tensor x = counting_tensor();
  session.on_value = [&](const ProgramValue& value, const Tensor& tensor) {
    EXPECT_TRUE(std::ranges::equal(tensor.bytes(), x.bytes())) << value.name;
    seen.push_back(value.name);
  };
  std::vector<uint8_t> y(kType.num_bytes());
  session.run(std::vector<In>{x.bytes()}, std::vector<Out>{y});
  EXPECT_EQ(seen, (std::vector<std::string>{"x", "conv", "conv"}));
  EXPECT_TRUE(std::ranges::equal(y, x.bytes()));
}

TEST_F(SessionTest, RefusesMemoryOfAnotherSize) {
  Session session(program, device, negated);
  std::vector<uint8_t> whole(kType.num_bytes()), part(kType.num_bytes() - 1);
  const auto message = [&](const std::vector<In>& inputs, const std::vector<Out>& outputs) {
    return error_in([&] { session.run(inputs, outputs); }, ErrorCode::kInvalidArgument);
  };
  EXPECT_EQ(message({part}, {whole}), "input x: expected 48 bytes for int8[1, 8, 2, 3], got 47");
  EXPECT_EQ(message({whole}, {part}),
            "output relu: expected 48 bytes for int8[1, 8, 2, 3], got 47");
  EXPECT_EQ(message({}, {whole}), "expected 1 input, got 0");
  EXPECT_EQ(message({whole}, {}), "expected 1 output, got 0");
}

TEST_F(SessionTest, RefusesInputsOfAnotherType) {
  Session session(program, device, negated);
  const Error error =
      expect_error([&] { session.run({Tensor(TensorType{DType::kInt8, {1, 8, 2, 2}})}); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_STREQ(error.what(), "input x: expected int8[1, 8, 2, 3], got int8[1, 8, 2, 2]");
  EXPECT_THROW(session.run({}), Error);
}

TEST_F(SessionTest, NamesTheLayerOfAFault) {
  device.fails = true;
  Session session(program, device, negated);
  try {
    session.run({counting_tensor()});
    FAIL();
  } catch (const driver::DeviceFault& fault) {
    EXPECT_STREQ(fault.what(), "conv: instruction 3: waits for ever");
    EXPECT_EQ(fault.instruction_index, 3u);
  }
  device.fails = false;
  EXPECT_EQ(session.run({counting_tensor()}).size(), 1u) << "a session can go on after a fault";
}

TEST_F(SessionTest, RefusesADeviceWithAnotherCore) {
  CoreConfig other = program.core;
  other.acc_buffer_bytes *= 2;
  RecordingDevice unlike(other);
  const Error error = expect_error([&] { Session session(program, unlike, negated); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_STREQ(error.what(),
               "the program is for a core with acc_buffer_bytes 1024, the device has 2048");
}

}  // namespace
}  // namespace vta
