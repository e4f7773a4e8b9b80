// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/functional_device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "hw/isa/program_bytes.h"
#include "sim/functional/checked_streams.h"
#include "tests/support/error_in.h"
#include "tests/support/tiny_program.h"

namespace vta::sim {
namespace {

constexpr uint64_t kArenaBytes = 32768;
constexpr uint64_t kProgramOffset = 4096;

// A device with one arena that runs programs in assembly.
class Machine {
 public:
  explicit Machine(const std::string& core = "tiny_1x8")
      : config_(load_core_config(core)),
        device_(open_functional_device("functional", config_)),
        arena_(device_->allocate(kArenaBytes)) {}

  void write(uint64_t offset_bytes, std::span<const uint8_t> bytes) {
    device_->copy_in({arena_.bytes + offset_bytes}, bytes);
  }
  void write_uops(uint64_t offset_bytes, const std::vector<isa::Uop>& uops) {
    std::vector<uint8_t> bytes(4 * uops.size());
    for (size_t i = 0; i < uops.size(); ++i) {
      const uint32_t bits = isa::encode(uops[i], config_);
      std::memcpy(&bytes[4 * i], &bits, 4);
    }
    write(offset_bytes, bytes);
  }
  std::vector<uint8_t> read(uint64_t offset_bytes, size_t size_bytes) {
    std::vector<uint8_t> bytes(size_bytes);
    device_->copy_out(bytes, {arena_.bytes + offset_bytes});
    return bytes;
  }
  hw::Counters run(const std::string& assembly,
                   std::chrono::milliseconds timeout = std::chrono::seconds(60),
                   const std::atomic<bool>* stop = nullptr) {
    const std::vector<isa::InstructionBits> stream = isa::assemble(assembly, "test", config_);
    write(kProgramOffset, isa::bytes_of(stream));
    driver::RunRequest request{arena_, kArenaBytes, kProgramOffset,
                               static_cast<uint32_t>(stream.size()), timeout};
    request.stop = stop;
    return device_->run(request);
  }
  // The message of the Error of a program, "" for none.
  std::string fault_of(const std::string& assembly, int timeout_ms = 60'000) {
    return error_in([&] { run(assembly, std::chrono::milliseconds(timeout_ms)); });
  }
  const CoreConfig& config() const { return config_; }

 private:
  CoreConfig config_;
  std::unique_ptr<driver::Device> device_;
  driver::DeviceAddress arena_;
};

constexpr auto& kMultiplyAddStore = support::TinyProgram::kText;

void prepare_multiply(Machine& machine, int8_t x, int8_t w) {
  machine.write_uops(0, {{0, 0, 0}});
  machine.write(128, std::vector<uint8_t>(8, static_cast<uint8_t>(x)));
  machine.write(256, std::vector<uint8_t>(64, static_cast<uint8_t>(w)));
}

TEST(FunctionalDevice, MultipliesAddsAndStores) {
  Machine machine;
  prepare_multiply(machine, 2, -3);
  const hw::Counters counters = machine.run(kMultiplyAddStore);
  EXPECT_EQ(machine.read(1024, 8), std::vector<uint8_t>(8, static_cast<uint8_t>(8 * -6 + 1)));
  EXPECT_EQ(counters.inp_load_nbytes, 8u);
  EXPECT_EQ(counters.wgt_load_nbytes, 64u);
  EXPECT_EQ(counters.uop_load_nbytes, 4u);
  EXPECT_EQ(counters.acc_load_nbytes, 0u);
  EXPECT_EQ(counters.out_store_nbytes, 8u);
  EXPECT_EQ(counters.gemm_counter, 1u);
  EXPECT_EQ(counters.alu_counter, 1u);
  EXPECT_FALSE(counters.cycles.has_value());
}

TEST(FunctionalDevice, RunsTheCoreAsItIsWrittenAsDeviceNative) {
  const auto device = open_functional_device("native", support::TinyProgram::core());
  support::TinyProgram program(*device);
  program.set_operands(2, -3);
  EXPECT_EQ(device->run(program.request()).gemm_counter, 1u);
  EXPECT_EQ(program.result(), support::TinyProgram::expected(2, -3));
  EXPECT_EQ(device->describe().uri, "native");
}

// One stream for each layer of mode `compatible`, which run in turn.
TEST(CheckedStreams, RemembersTheStreamsOfANetwork) {
  const CoreConfig core = load_core_config("tiny_1x8");
  const std::vector<isa::InstructionBits> stream = isa::assemble("finish\n", "test", core);
  const std::vector<uint8_t> arena(kArenaBytes);
  CheckedStreams checked(core);
  int num_checks = 0;
  const auto check_all = [&] {
    num_checks = 0;
    for (uint64_t i = 0; i < 200; ++i)
      EXPECT_EQ(checked.flaw_of(stream, arena, i * isa::kInstructionBytes, [&] { ++num_checks; }),
                "");
  };
  check_all();
  EXPECT_GE(num_checks, 200);
  check_all();
  EXPECT_EQ(num_checks, 0);
}

TEST(FunctionalDevice, RunsOnACoreWithoutTheExtensionWithTheSameValues) {
  CoreConfig config = load_core_config("tiny_1x8");
  config.extension = false;
  const auto device = open_functional_device("functional", config);
  EXPECT_FALSE(device->describe().core.extension);
}

TEST(FunctionalDevice, RefusesACoreThatItIsNotCompiledFor) {
  CoreConfig config = load_core_config("tiny_1x8");
  config.name = "mine";
  config.inp_buffer_bytes *= 2;
  const Error error = expect_error([&] { open_functional_device("functional", config); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_NE(std::string(error.what()).find("configs/cores"), std::string::npos) << error.what();
}

TEST(FunctionalDevice, RunsTwoDevicesOfDifferentConfigurationsInTwoThreads) {
  const auto work = [](const std::string& core, int8_t w, uint8_t* result) {
    Machine machine(core);
    const uint32_t lanes = machine.config().out_elem_bytes(),
                   inp = machine.config().inp_elem_bytes();
    const uint32_t wgt = machine.config().wgt_elem_bytes();
    machine.write_uops(0, {{0, 0, 0}});
    machine.write(1024, std::vector<uint8_t>(inp, 2));
    machine.write(2048, std::vector<uint8_t>(wgt, static_cast<uint8_t>(w)));
    const std::string program = fmt::format(
        "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
        "load.inp sram=0 dram={} size=[1,1] stride=1\n"
        "load.wgt push_next sram=0 dram={} size=[1,1] stride=1\n"
        "gemm.reset pop_prev uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]\n"
        "gemm push_next uop=[0,1) iter=[1,100] dst=[0,0] src=[0,0] wgt=[0,0]\n"
        "store.out pop_prev push_prev sram=0 dram={} size=[1,1] stride=1\n"
        "finish pop_next\n",
        1024 / inp, 2048 / wgt, 512 / lanes);
    for (int i = 0; i < 200; ++i) machine.run(program);
    *result = machine.read(512, 1)[0];
  };
  uint8_t small = 0, large = 0;
  std::thread first(work, "tiny_1x8", 3, &small);
  std::thread second(work, "vta_1x16", -1, &large);
  first.join();
  second.join();
  EXPECT_EQ(small, static_cast<uint8_t>(100 * 8 * 2 * 3));
  EXPECT_EQ(large, static_cast<uint8_t>(100 * 16 * 2 * -1));
}

// The processes of a device resume where they stopped, on any thread.
TEST(FunctionalDevice, RunsInOneThreadAfterTheOther) {
  Machine machine;
  for (int8_t w = 1; w <= 3; ++w) {
    std::thread([&] {
      prepare_multiply(machine, 2, w);
      machine.run(kMultiplyAddStore);
    }).join();
    EXPECT_EQ(machine.read(1024, 1)[0], 8 * 2 * w + 1);
  }
  EXPECT_NE(machine.fault_of("load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\nfinish\n"), "");
  prepare_multiply(machine, 1, 1);
  std::thread([&] { machine.run(kMultiplyAddStore); }).join();
  EXPECT_EQ(machine.read(1024, 1)[0], 9);
}

TEST(FunctionalDevice, KeepsScratchpadsFromRunToRun) {
  Machine machine;
  prepare_multiply(machine, 1, 1);
  machine.run(kMultiplyAddStore);
  machine.run(
      "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
      "alu.add push_next uop=[0,1) iter=[1,1] dst=[0,0] imm=1\n"
      "store.out pop_prev push_prev sram=0 dram=200 size=[1,1] stride=1\n"
      "finish pop_next\n");
  EXPECT_EQ(machine.read(1600, 1)[0], 10);
}

TEST(FunctionalDevice, NamesInstructionIndexAndLimitInAFault) {
  Machine machine;
  machine.write_uops(0, {{31, 0, 0}});
  EXPECT_EQ(
      machine.fault_of("load.uop sram=0 dram=0 size=[1,1] stride=1\n"
                       "gemm.reset uop=[0,1) iter=[1,2] dst=[0,1] src=[0,0] wgt=[0,0]\n"
                       "finish\n"),
      "instruction 1 (gemm.reset uop=[0,1) iter=[1,2] dst=[0,1] src=[0,0] wgt=[0,0]): dst index: "
      "32 of 32 ACC elements");
}

TEST(FunctionalDevice, NamesEachWaitingStageInADeadlock) {
  Machine machine;
  EXPECT_EQ(machine.fault_of("load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\n"
                             "store.out pop_prev sram=0 dram=0 size=[1,1] stride=1\n"
                             "finish\n"),
            "deadlock: load waits at instruction 0 (load.inp pop_next sram=0 dram=0 size=[1,1] "
            "stride=1) for "
            "a token from gemm; store waits at instruction 1 (store.out pop_prev sram=0 dram=0 "
            "size=[1,1] "
            "stride=1) for a token from alu");
}

// The next instruction is decoded while the previous one still waits to push; it never starts.
TEST(FunctionalDevice, ReportsNoFaultOfAnInstructionThatNeverStarts) {
  Machine machine;
  const uint32_t full = machine.config().token_queue_depth;
  const auto after_a_full_queue = [&](const std::string& pusher, const std::string& faulty) {
    std::string program;
    for (uint32_t i = 0; i <= full; ++i) program += pusher + "\n";
    return machine.fault_of(program + faulty + "\nfinish\n");
  };
  EXPECT_EQ(
      after_a_full_queue("load.inp push_next", "load.inp sram=32 dram=0 size=[9,9] stride=9"),
      "deadlock: load waits at instruction 1023 (load.inp push_next) for space for a token to "
      "gemm");
  EXPECT_EQ(
      after_a_full_queue("store.out push_prev", "store.out sram=32 dram=0 size=[9,9] stride=9"),
      "deadlock: store waits at instruction 1023 (store.out push_prev) for space for a token to "
      "alu");
}

// Each of these needs three queue entries: its own and two carriers of fetch.
TEST(FunctionalDevice, RunsAheadByAThirdOfACommandQueueInPlainPrograms) {
  Machine machine;
  const uint32_t count = machine.config().command_queue_depth / 3;
  std::string program = "gemm.reset pop_prev push_next\n";
  for (uint32_t i = 1; i < count; ++i) program += "gemm.reset pop_next push_next\n";
  program += "load.inp push_next\n";  // awaited by the first one
  for (uint32_t i = 0; i < count; ++i) program += "store.out pop_prev push_prev\n";
  EXPECT_EQ(machine.fault_of(program + "finish pop_next\n"), "");
}

TEST(FunctionalDevice, RunsAgainAfterAFault) {
  Machine machine;
  EXPECT_NE(machine.fault_of("load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\nfinish\n"), "");
  prepare_multiply(machine, 1, 1);
  machine.run(kMultiplyAddStore);
  EXPECT_EQ(machine.read(1024, 1)[0], 9);
}

TEST(FunctionalDevice, EndsAProgramThatTakesTooLong) {
  Machine machine;
  machine.write_uops(0, {{0, 0, 0}});
  EXPECT_EQ(machine.fault_of("load.uop sram=0 dram=0 size=[1,1] stride=1\n"
                             "alu.add uop=[0,1) iter=[16383,16383] dst=[0,0] imm=1\n"
                             "alu.add uop=[0,1) iter=[16383,16383] dst=[0,0] imm=1\n"
                             "finish\n",
                             20),
            "the program did not end within 20 ms");
}

// Takes minutes if the race checker, which checks each element before gemm starts, ignores the
// deadline.
TEST(FunctionalDevice, EndsASplitProgramThatTakesTooLong) {
  Machine machine("vta_1x16");
  std::vector<isa::Uop> uops(1024);
  for (uint32_t i = 0; i < uops.size(); ++i) uops[i].dst = i;
  machine.write_uops(0, uops);
  EXPECT_EQ(
      machine.fault_of("load.uop.split sram=0 dram=0 size=[1,1024] stride=1\n"
                       "gemm.split uop=[0,1024) iter=[16383,16383] dst=[0,0] src=[0,0] wgt=[0,0]\n"
                       "finish\n",
                       20),
      "the program did not end within 20 ms");
}

TEST(FunctionalDevice, EndsAProgramThatIsStopped) {
  Machine machine;
  machine.write_uops(0, {{0, 0, 0}});
  std::atomic<bool> stop = false;
  const std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  const Error error = expect_error([&] {
    machine.run(
        "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
        "alu.add uop=[0,1) iter=[16383,16383] dst=[0,0] imm=1\n"
        "alu.add uop=[0,1) iter=[16383,16383] dst=[0,0] imm=1\n"
        "finish\n",
        std::chrono::seconds(600), &stop);
  });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_STREQ(error.what(), "the run was stopped");
  EXPECT_NO_THROW(machine.run("finish\n"));
}

TEST(FunctionalDevice, TakesAnyTimeout) {
  Machine machine;
  EXPECT_NO_THROW(machine.run("finish\n", std::chrono::milliseconds::max()));
  EXPECT_THROW(machine.run("finish\n", std::chrono::milliseconds::min()), Error);
}

TEST(FunctionalDevice, RefusesAnArenaThatIsNotAligned) {
  const auto device = open_functional_device("functional", load_core_config("tiny_1x8"));
  driver::RunRequest request;
  request.arena = {device->allocate(kArenaBytes).bytes + 16};
  request.arena_bytes = 4096;
  const Error error = expect_error([&] { device->run(request); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
}

TEST(FunctionalDevice, NamesValueAndLimitOfFaultsBeyondOneInstruction) {
  Machine machine;
  EXPECT_EQ(machine.fault_of("load.inp sram=0 dram=4072 size=[2,1] stride=24\nfinish\n"),
            "instruction 0 (load.inp sram=0 dram=4072 size=[2,1] stride=24): DRAM range: ends at "
            "byte 32776; the arena has 32768");
  EXPECT_EQ(machine.fault_of("load.uop.split push_next sram=0 dram=0 size=[0,0] stride=0\n"
                             "finish\n"),
            "instruction 1 (finish): tokens left at a change: 1 token too many or too few between "
            "gemm and alu where a plain instruction follows");
}

// Micro-ops are half a beat: rows may start and end in the middle of a beat, the last one at the
// end of an arena whose size is not a multiple of beats.
TEST(FunctionalDevice, LoadsMicroOpsUpToTheEndOfAnArenaThatEndsWithinABeat) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const auto device = open_functional_device("functional", config);
  constexpr uint32_t kBytes = 4096 + 12;
  driver::RunRequest request;
  request.arena = device->allocate(kBytes);
  request.arena_bytes = kBytes;
  const auto stream = isa::assemble(
      "load.uop sram=0 dram=1022 size=[2,1] stride=4\n"  // the second row is the arena's last word
      "alu.add push_next uop=[0,2) iter=[1,1] dst=[0,0] imm=7\n"
      "store.out pop_prev push_prev sram=0 dram=16 size=[1,4] stride=4\n"
      "finish pop_next\n",
      "test", config);
  request.num_instructions = static_cast<uint32_t>(stream.size());
  device->copy_in(request.arena, isa::bytes_of(stream));
  const uint32_t uops[2] = {isa::encode(isa::Uop{1, 0, 0}, config),
                            isa::encode(isa::Uop{3, 0, 0}, config)};
  for (int i = 0; i < 2; ++i) {
    uint8_t word[4];
    std::memcpy(word, &uops[i], 4);
    device->copy_in({request.arena.bytes + 4 * (1022 + 4 * i)}, word);
  }
  device->run(request);
  std::vector<uint8_t> out(32);
  device->copy_out(out, {request.arena.bytes + 128});
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[8], 7);
  EXPECT_EQ(out[16], 0);
  EXPECT_EQ(out[24], 7);
}

// Addresses have 32 bits, their sums more. Untouched pages cost nothing.
TEST(FunctionalDevice, ReachesTheLastByteOfFourGigabytesAndNotBeyond) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const auto device = open_functional_device("functional", config);
  driver::RunRequest request;
  request.arena_bytes = uint64_t{4} << 30;
  try {
    request.arena = device->allocate(request.arena_bytes);
  } catch (const Error& error) {
    GTEST_SKIP() << "[SKIP] " << error.what();
  }
  const auto run = [&](const std::string& assembly) -> std::string {
    const auto stream = isa::assemble(assembly, "test", config);
    device->copy_in({request.arena.bytes + kProgramOffset}, isa::bytes_of(stream));
    request.program_offset_bytes = kProgramOffset;
    request.num_instructions = static_cast<uint32_t>(stream.size());
    return error_in([&] { device->run(request); });
  };
  const std::vector<uint8_t> last(32, 9);  // an ACC element
  device->copy_in({request.arena.bytes + request.arena_bytes - last.size()}, last);
  EXPECT_EQ(run("load.acc push_next sram=0 dram=134217727 size=[1,1] stride=1\n"
                "store.out pop_prev push_prev sram=0 dram=536870901 size=[1,1] stride=1\n"
                "finish pop_next\n"),
            "");
  std::vector<uint8_t> stored(8);
  device->copy_out(stored, {request.arena.bytes + uint64_t{536870901} * 8});
  EXPECT_EQ(stored, std::vector<uint8_t>(8, 9));
  EXPECT_EQ(run("load.acc sram=0 dram=134217727 size=[2,1] stride=1\nfinish\n"),
            "instruction 0 (load.acc sram=0 dram=134217727 size=[2,1] stride=1): DRAM range: ends "
            "at byte 4294967328; the arena has 4294967296");
  EXPECT_EQ(run("store.out sram=0 dram=4294967295 size=[2,1] stride=65535\nfinish\n"),
            "instruction 0 (store.out sram=0 dram=4294967295 size=[2,1] stride=65535): DRAM range: "
            "ends at byte 34360262648; the arena has 4294967296");
  std::vector<uint8_t> first(64);
  device->copy_out(first, request.arena);
  EXPECT_EQ(first, std::vector<uint8_t>(64, 0));
}

TEST(FunctionalDevice, ReportsSplitInstructionsThatNoTokenOrders) {
  Machine machine;
  machine.write_uops(0, {{3, 0, 0}});
  const std::string unordered =
      "load.uop.split sram=0 dram=0 size=[1,1] stride=1\n"
      "gemm.reset.split uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]\n"
      "load.acc.split sram=3 dram=0 size=[1,1] stride=1\n"
      "finish\n";
  EXPECT_NE(machine.fault_of(unordered).find("access element 3 of ACC without a token between"),
            std::string::npos)
      << machine.fault_of(unordered);
  EXPECT_EQ(machine.fault_of(
                "load.uop.split sram=0 dram=0 size=[1,1] stride=1\n"
                "gemm.reset.split push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]\n"
                "load.acc.split pop_prev sram=3 dram=0 size=[1,1] stride=1\n"
                "finish\n"),
            "");
}

TEST(FunctionalDevice, OrdersPlainComputeInstructionsWithoutTokens) {
  Machine machine;
  prepare_multiply(machine, 1, 1);
  machine.write(2048, std::vector<uint8_t>(32, 0));
  // The barrier at the change from split to plain orders instructions without a token.
  EXPECT_EQ(machine.fault_of("load.uop.split sram=0 dram=0 size=[1,1] stride=1\n"
                             "gemm.reset.split uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]\n"
                             "load.acc sram=0 dram=64 size=[1,1] stride=1\n"
                             "alu.add.split uop=[0,1) iter=[1,1] dst=[0,0] imm=5\n"
                             "finish\n"),
            "");
}

}  // namespace
}  // namespace vta::sim
