// SPDX-License-Identifier: Apache-2.0
//
// RegisterDevice with a model of the registers; tests/unit/hw/rtl/board tests it with the Verilog.
#include "driver/register_device.h"

#include <gtest/gtest.h>

#include "configs/core_config.h"
#include "driver/region_allocator.h"
#include "sim/functional/functional_device.h"
#include "sim/functional/native_core.h"
#include "tests/support/board/ram_buffer.h"
#include "tests/support/board/register_model.h"
#include "tests/support/error_in.h"
#include "tests/unit/driver/device_programs.h"

namespace vta::driver {
namespace {

constexpr uint64_t kBase = 0x1000'0000;

// A non-owning wrapper: the test keeps the model.
class Forwarded : public hw::RegisterBus {
 public:
  explicit Forwarded(std::shared_ptr<hw::RegisterBus> bus) : bus_(std::move(bus)) {}
  uint32_t read(uint32_t offset) override { return bus_->read(offset); }
  void write(uint32_t offset, uint32_t value) override { bus_->write(offset, value); }

 private:
  std::shared_ptr<hw::RegisterBus> bus_;
};

// Counts the calls.
struct FakeInterrupt : InterruptLine {
  explicit FakeInterrupt(std::vector<std::string>& log) : calls(log) {}
  void arm() override { calls.emplace_back("arm"); }
  void wait(std::chrono::milliseconds longest) override {
    calls.emplace_back("wait");
    EXPECT_LE(longest, std::chrono::milliseconds(100));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::vector<std::string>& calls;
};

struct RegisterDeviceTest : testing::Test {
  RegisterDeviceTest() {
    std::shared_ptr<sim::NativeCore> native = sim::make_native_core(core);
    use([native](auto&&... arguments) { return native->run(arguments..., nullptr); });
  }
  void use(sim::CoreRunner runner) {
    model = std::make_shared<support::RegisterModel>(core, std::move(runner),
                                                     support::BusMemory{memory, kBase});
  }
  std::unique_ptr<Device> open(std::unique_ptr<InterruptLine> interrupt = nullptr) {
    CoreAccess access;
    access.registers = std::make_unique<Forwarded>(model);
    access.buffers =
        make_region_allocator(std::make_unique<support::RamBuffer>(memory, kBase, true), "RAM");
    access.interrupt = std::move(interrupt);
    return make_register_device("board:0", core, std::move(access));
  }
  std::string open_error() {
    return error_in([&] { open(); }, ErrorCode::kDevice);
  }

  const CoreConfig core = load_core_config("tiny_1x8");
  std::vector<uint8_t> memory = std::vector<uint8_t>(1 << 20);
  std::shared_ptr<support::RegisterModel> model;
};

TEST_F(RegisterDeviceTest, RunsEachProgramAfterAFaultOfTheOneBefore) {
  const auto functional = sim::open_functional_device("functional", core);
  const auto device = open();
  EXPECT_TRUE(device->describe().timed);
  int faults = 0;
  for (int code = 1; code < isa::kDeadlock; ++code) {
    const auto faulty = support::find_illegal_program(core, static_cast<isa::FaultCode>(code), 0);
    if (faulty.has_value()) {
      ++faults;
      EXPECT_EQ(run_program(*device, *faulty).error, run_program(*functional, *faulty).error);
    }
    const auto program = support::generate_legal_program(core, static_cast<uint64_t>(code));
    const Outcome expected = run_program(*functional, program), got = run_program(*device, program);
    EXPECT_EQ(got.error, "");
    EXPECT_TRUE(got.arena == expected.arena);
    EXPECT_EQ(got.counters.gemm_counter, expected.counters.gemm_counter);
  }
  EXPECT_GT(faults, 10);
}

TEST_F(RegisterDeviceTest, NamesAllStagesThatWaitInADeadlock) {
  const auto program = support::find_illegal_program(core, isa::kDeadlock, 0);
  ASSERT_TRUE(program.has_value());
  const std::string message = run_program(*open(), *program).error;
  EXPECT_TRUE(message.starts_with("deadlock: ")) << message;
  EXPECT_NE(message.find(" waits at instruction "), std::string::npos) << message;
}

TEST_F(RegisterDeviceTest, LeavesTheEndOfARunOutOfItsCycles) {
  use([](auto&&...) {
    sim::NativeRun run;
    run.counters.cycles = 1000;
    run.counters.stages.emplace();
    run.counters.stages->of[hw::kStage_gemm][hw::kStageState_busy] = 900;
    run.counters.stages->of[hw::kStage_gemm][hw::kStageState_idle] = 100;
    return run;
  });
  const hw::Counters counters =
      run_program(*open(), support::generate_legal_program(core, 0)).counters;
  EXPECT_EQ(counters.cycles, 1000u);
  EXPECT_EQ(counters.stages->of[hw::kStage_gemm][hw::kStageState_busy], 900u);
  EXPECT_EQ(counters.stages->of[hw::kStage_gemm][hw::kStageState_idle], 100u);
}

TEST_F(RegisterDeviceTest, EndsARunThatTakesTooLongAndCanRunAgain) {
  bool hangs = true;
  const std::shared_ptr<sim::NativeCore> native = sim::make_native_core(core);
  use([&](auto&&... arguments) {
    if (!hangs) return native->run(arguments..., nullptr);
    sim::NativeRun run;
    run.timed_out = true;
    return run;
  });
  std::vector<std::string> calls;
  const auto device = open(std::make_unique<FakeInterrupt>(calls));
  const auto program = support::generate_legal_program(core, 0);
  EXPECT_EQ(run_program(*device, program, std::chrono::milliseconds(5)).error,
            "the program did not end within 5 ms");
  EXPECT_EQ(model->read(hw::kRegister_status), uint32_t{hw::kBits_status_idle});
  EXPECT_EQ(calls.at(0), "arm");
  EXPECT_EQ(calls.at(1), "wait");
  hangs = false;
  EXPECT_EQ(run_program(*device, program).error, "");
}

TEST_F(RegisterDeviceTest, SaysWhichPortsOfMemoryAnswerWithErrors) {
  const auto device = open();
  model = nullptr;
  // Settings may contain any address: here the allocator returns a wrong one.
  CoreAccess access;
  auto lying = std::make_shared<support::RegisterModel>(
      core, [](auto&&...) { return sim::NativeRun{}; }, support::BusMemory{memory, 0});
  access.registers = std::make_unique<Forwarded>(lying);
  access.buffers =
      make_region_allocator(std::make_unique<support::RamBuffer>(memory, kBase, false), "RAM");
  const auto lost = make_register_device("board:1", core, std::move(access));
  const std::string message = run_program(*lost, support::generate_legal_program(core, 0)).error;
  EXPECT_NE(message.find("core at board:1: memory responded with errors at fetch, store"),
            std::string::npos)
      << message;
}

TEST_F(RegisterDeviceTest, RefusesAnotherCoreAndNamesEachDifference) {
  model->words[hw::kRegister_batch] = 2;
  model->words[hw::kRegister_extension] = 0;
  const std::string message = open_error();
  EXPECT_NE(message.find("core at board:0: expected core tiny_1x8"), std::string::npos) << message;
  EXPECT_NE(message.find("batch is 2, not 1"), std::string::npos) << message;
  EXPECT_NE(message.find("extension is false, not true"), std::string::npos) << message;
}

TEST_F(RegisterDeviceTest, RefusesRegistersThatAreNotACore) {
  model->words[hw::kRegister_magic] = 0;
  EXPECT_NE(open_error().find("no core is there"), std::string::npos);
}

// A core stays in reset while bursts have no response.
struct StuckInReset : hw::RegisterBus {
  explicit StuckInReset(std::shared_ptr<support::RegisterModel> of) : model(std::move(of)) {}
  uint32_t read(uint32_t offset) override {
    return offset == hw::kRegister_status ? 0 : model->read(offset);
  }
  void write(uint32_t, uint32_t) override {}
  std::shared_ptr<support::RegisterModel> model;
};

TEST_F(RegisterDeviceTest, RefusesACoreThatStaysInItsReset) {
  CoreAccess access;
  access.registers = std::make_unique<StuckInReset>(model);
  const Error error =
      expect_error([&] { make_register_device("board:0", core, std::move(access)); });
  EXPECT_NE(std::string(error.what()).find("does not leave reset"), std::string::npos);
}

TEST_F(RegisterDeviceTest, RefusesRangesOutsideOneAllocationAndMisalignedRequests) {
  const auto device = open();
  const DeviceAddress first = device->allocate(100), second = device->allocate(4096);
  EXPECT_EQ(first.bytes % kArenaAlignmentBytes, 0u);
  std::vector<uint8_t> bytes(101);
  EXPECT_THROW(device->copy_in(first, bytes), Error);
  EXPECT_THROW(device->copy_out(bytes, {second.bytes + 4096}), Error);
  EXPECT_THROW(device->copy_out(bytes, {first.bytes - 1}), Error);
  EXPECT_THROW(device->free({first.bytes + 1}), Error);
  EXPECT_THROW(device->allocate(0), Error);
  const RunRequest requests[] = {
      {first, 101, 0, 1}, {{first.bytes + 16}, 16, 0, 1}, {first, 100, 8, 1}, {first, 100, 0, 7}};
  for (const RunRequest& request : requests) {
    const Error error = expect_error([&] { device->run(request); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
  }
  device->free(first);
  EXPECT_THROW(device->free(first), Error);
}

TEST_F(RegisterDeviceTest, MemoryIsZeroedAgainAndComesBack) {
  const auto device = open();
  for (int again = 0; again < 3; ++again) {
    const DeviceAddress address = device->allocate(memory.size());
    std::vector<uint8_t> bytes(memory.size(), 1);
    device->copy_out(bytes, address);
    EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), static_cast<long>(bytes.size()));
    device->copy_in(address, std::vector<uint8_t>(memory.size(), 0xEE));
    device->free(address);
  }
}

TEST(RegionAllocator, MergesWhatComesBackInAnyOrder) {
  std::vector<uint8_t> memory(8 * 4096);
  const auto allocator =
      make_region_allocator(std::make_unique<support::RamBuffer>(memory, 0x8000, false), "RAM");
  std::vector<std::unique_ptr<Buffer>> pieces;
  for (int i = 0; i < 8; ++i) pieces.push_back(allocator->allocate(4096));
  EXPECT_EQ(pieces[3]->bus_address(), 0x8000u + 3 * 4096);
  for (const int freed : {1, 3, 2, 5, 7, 6}) pieces[static_cast<size_t>(freed)].reset();
  const Error error = expect_error([&] { allocator->allocate(4 * 4096); });
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  EXPECT_NE(std::string(error.what())
                .find("24576 bytes of RAM: 32768 bytes at 0x8000 are free, the "
                      "largest range has 12288"),
            std::string::npos)
      << error.what();
  pieces.clear();
  EXPECT_EQ(allocator->allocate(8 * 4096)->bus_address(), 0x8000u);
  EXPECT_THROW(allocator->allocate(UINT64_MAX), Error);
}

}  // namespace
}  // namespace vta::driver
