// SPDX-License-Identifier: Apache-2.0
//
// Lockstep stops at the first difference, and finds none between the two real cores.
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "hw/isa/program_bytes.h"
#include "sim/rtl/lockstep_run.h"
#include "tests/support/error_in.h"
#include "tests/support/program_generator.h"
#include "tests/unit/sim/rtl/machine.h"

namespace vta::sim {
namespace {

constexpr uint64_t kNever = UINT64_MAX;

struct Damage {
  uint64_t beat = kNever;  // number of the beat that the other members change
  uint64_t value_bits = 0, address_bits = 0;
  bool drops = false, repeats = false;
  uint64_t gemm_counter = 0;  // added at the end
  bool changes_arena = false;
  bool faults = false;
};

// The Verilated core with an error injected into its outputs.
class DamagedCore : public TimedCore {
 public:
  DamagedCore(const CoreConfig& config, const Damage& damage)
      : core_(make_rtl_core(config, load_memory_config("ideal64"))), damage_(damage) {}

  NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
                const Deadline& deadline, WriteObserver* observer) override {
    Filter filter(damage_, *observer);
    NativeRun run = core_->run(arena, arena_bytes, program_offset_bytes, count, deadline, &filter);
    run.counters.gemm_counter += damage_.gemm_counter;
    if (damage_.changes_arena) arena[0x123] ^= 0xFF;
    if (damage_.faults) run.fault = isa::kDramRange;
    return run;
  }
  void record(RunTrace*) override {}

 private:
  class Filter : public WriteObserver {
   public:
    Filter(const Damage& damage, WriteObserver& to) : damage_(damage), to_(to) {}
    void beat_written(uint64_t cycle, uint64_t address, uint64_t value) override {
      const bool hit = count_++ == damage_.beat;
      if (hit) address ^= damage_.address_bits, value ^= damage_.value_bits;
      if (hit && damage_.repeats) to_.beat_written(cycle, address, value);
      if (!hit || !damage_.drops) to_.beat_written(cycle, address, value);
    }

   private:
    const Damage& damage_;
    WriteObserver& to_;
    uint64_t count_ = 0;
  };

  std::unique_ptr<TimedCore> core_;
  Damage damage_;
};

// The lockstep message for a program of two stores of two beats each.
std::string message_with(const Damage& damage) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const auto stream = isa::assemble(
      "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
      "alu.add push_next uop=[0,1) iter=[1,4] dst=[0,1] imm=7\n"
      "store.out pop_prev sram=0 dram=16 size=[1,2] stride=2\n"
      "store.out push_prev sram=2 dram=32 size=[1,2] stride=2\n"
      "finish pop_next\n",
      "test", config);
  std::vector<uint8_t> arena(8192);
  std::ranges::copy(isa::bytes_of(stream), &arena[4096]);
  const auto native = make_native_core(config);
  DamagedCore rtl(config, damage);
  return error_in([&] {
    const NativeRun run =
        run_in_lockstep({*native, rtl, config},
                        {arena.data(), arena.size(), 4096, static_cast<uint32_t>(stream.size()),
                         std::chrono::steady_clock::time_point::max()});
    EXPECT_EQ(run.fault, isa::kNoFault);
    EXPECT_GT(run.counters.cycles.value_or(0), 0u);
  });
}

const std::string kFirst =
    "lockstep: instruction 2 (store.out pop_prev sram=0 dram=16 size=[1,2] stride=2): functional "
    "writes 0x0707070707070707 to address 0x88, RTL ";
const std::string kSecond =
    "lockstep: instruction 3 (store.out push_prev sram=2 dram=32 size=[1,2] stride=2): functional "
    "writes 0x0707070707070707 to address 0x";

TEST(Lockstep, FindsNoDifferenceWhereThereIsNone) { EXPECT_EQ(message_with({}), ""); }

TEST(Lockstep, StopsAtTheFirstBeatThatDiffers) {
  const std::string value = message_with({.beat = 1, .value_bits = 0x0600});
  EXPECT_TRUE(value.starts_with(kFirst + "0x0707070707070107 to address 0x88 in cycle ")) << value;
  const std::string address = message_with({.beat = 1, .address_bits = 0x80});
  EXPECT_TRUE(address.starts_with(kFirst + "0x0707070707070707 to address 0x8 in cycle "))
      << address;
}

TEST(Lockstep, StopsAtABeatTooManyAndAtTheEndForOneTooFew) {
  const std::string early = message_with({.beat = 1, .drops = true});
  EXPECT_TRUE(early.starts_with(kFirst + "0x0707070707070707 to address 0x100 in cycle ")) << early;
  EXPECT_EQ(message_with({.beat = 3, .drops = true}), kSecond + "108, RTL ends before");
  const std::string many = message_with({.beat = 3, .repeats = true});
  EXPECT_TRUE(
      many.starts_with("lockstep: RTL writes 0x0707070707070707 to address 0x108 in cycle "))
      << many;
  EXPECT_TRUE(many.ends_with("functional ends after 4 beats")) << many;
}

TEST(Lockstep, ComparesFaultCountersAndArenaAtTheEnd) {
  EXPECT_EQ(message_with({.gemm_counter = 2}),
            "lockstep: gemm_counter is 0 in the functional simulator, 2 in RTL");
  EXPECT_EQ(message_with({.changes_arena = true}),
            "lockstep: byte 0x123 of the arena is 0x00 in the functional simulator, 0xff in RTL");
  EXPECT_EQ(message_with({.faults = true}),
            "lockstep: functional ends with no fault, RTL with DRAM range (value 0) at instruction "
            "0");
}

void expect_no_difference(const CoreConfig& config, const support::GeneratedProgram& program,
                          uint64_t seed) {
  MemoryConfig memory = load_memory_config("random");
  memory.seed = static_cast<uint32_t>(seed);
  const auto native = make_native_core(config);
  const auto rtl = make_rtl_core(config, memory);
  std::vector<uint8_t> arena = program.arena;
  EXPECT_NO_THROW(run_in_lockstep(
      {*native, *rtl, config},
      {arena.data(), arena.size(), static_cast<uint32_t>(program.program_offset_bytes),
       program.num_instructions, std::chrono::steady_clock::now() + std::chrono::seconds(20)}));
}

TEST(Lockstep, FindsNoDifferenceInRandomPrograms) {
  const CoreConfig config = load_core_config("tiny_1x8");
  for (uint64_t seed = 5000; seed < 5060; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    expect_no_difference(config, support::generate_legal_program(config, seed), seed);
  }
}

TEST(Lockstep, IsADeviceWithAMemory) {
  for (const std::string uri : {"lockstep:functional,rtl", "lockstep:functional,rtl:random"}) {
    Machine machine(uri);
    const std::string faulty = "load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\nfinish\n";
    EXPECT_EQ(machine.fault_of(faulty), Machine("functional").fault_of(faulty));
    EXPECT_TRUE(machine.run("finish\n").cycles.has_value());
  }
  for (const std::string uri :
       {"lockstep", "lockstep:rtl,functional", "lockstep:functional,rtlx"}) {
    EXPECT_THROW(Machine machine(uri), Error) << uri;
  }
}

}  // namespace
}  // namespace vta::sim
