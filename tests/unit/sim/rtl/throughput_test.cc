// SPDX-License-Identifier: Apache-2.0
//
// Cycles per instruction in a full queue of equal instructions, with ideal64: the difference of
// twenty and ten instructions, divided by ten.
#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "sim/rtl/rtl_device.h"
#include "tests/unit/sim/rtl/machine.h"

namespace vta::sim {
namespace {

constexpr uint32_t kUops = 64, kTurns = 16;  // iter=[4,4]
constexpr uint64_t kMicroOps = kUops * kTurns;
constexpr uint64_t kUopTable = 0;

class Throughput : public testing::Test {
 protected:
  static void SetUpTestSuite() { register_rtl_device(); }

  // `before` once, then `instruction` many times.
  double cycles_each(const std::string& before, const std::string& instruction) {
    const auto cycles = [&](int count) {
      std::string text = before;
      for (int i = 0; i < count; ++i) text += instruction + "\n";
      return static_cast<double>(machine_.run(text + "finish\n").cycles.value());
    };
    return (cycles(20) - cycles(10)) / 10;
  }

  std::string load_uops(const std::vector<isa::Uop>& uops) {
    machine_.write_uops(kUopTable, uops);
    return "load.uop.split push_next sram=0 dram=0 size=[1,64] stride=64\n"
           "load.acc.split pop_prev sram=0 dram=0 size=[0,0] stride=0\n";
  }

  Machine machine_{"rtl:ideal64", "vta_1x16"};
};

template <class Index>
std::vector<isa::Uop> uops(Index&& dst, Index&& src) {
  std::vector<isa::Uop> list(kUops);
  for (uint32_t i = 0; i < kUops; ++i) {
    list[i].dst = dst(i);
    list[i].src = src(i);
  }
  return list;
}

using Index = std::function<uint32_t(uint32_t)>;

TEST_F(Throughput, GemmTakesAMicroOpACycleInAnyOrder) {
  Random random(7);
  std::vector<uint32_t> drawn(kUops);
  for (uint32_t& index : drawn) index = static_cast<uint32_t>(random.between(0, 3));
  const std::pair<const char*, Index> orders[] = {
      {"one destination", [](uint32_t) { return 5u; }},
      {"two destinations in turn", [](uint32_t i) { return i % 2; }},
      {"three destinations in turn", [](uint32_t i) { return i % 3; }},
      {"each its own", [](uint32_t i) { return i; }},
      {"random", [&](uint32_t i) { return drawn[i]; }}};
  for (const auto& [name, dst] : orders) {
    const std::string before =
        load_uops(uops<const Index&>(dst, Index([](uint32_t i) { return i; })));
    const double each =
        cycles_each(before, "gemm.split uop=[0,64) iter=[4,4] dst=[0,0] src=[0,0] wgt=[0,0]");
    EXPECT_LE(each, kMicroOps + 16) << name;
    EXPECT_GE(each, kMicroOps) << name;
  }
}

TEST_F(Throughput, AluTakesAMicroOpACycleUnlessItsSourceChanges) {
  const Index own = [](uint32_t i) { return i; }, one = [](uint32_t) { return 100u; },
              another = [](uint32_t i) { return 100 + i; };
  const std::string shape = " uop=[0,64) iter=[4,4] dst=[0,0] src=[0,0] ";
  std::string before = load_uops(uops<const Index&>(own, one));
  EXPECT_LE(cycles_each(before, "alu.add.split" + shape + "imm=3"), kMicroOps + 16);
  EXPECT_LE(cycles_each(before, "alu.add.split" + shape + "use_src imm=0"), kMicroOps + 16);
  // The lanes take two cycles, in which a destination can have only one micro-op.
  before = load_uops(uops<const Index&>([](uint32_t) { return 5u; }, one));
  EXPECT_LE(cycles_each(before, "alu.add.split" + shape + "imm=3"), 2 * kMicroOps + 16);
  EXPECT_LE(cycles_each(before, "alu.add.split" + shape + "use_src imm=0"), 2 * kMicroOps + 16);
  before = load_uops(uops<const Index&>([](uint32_t) { return 5u; }, another));
  EXPECT_LE(cycles_each(before, "alu.max.split" + shape + "use_src imm=0"), 2 * kMicroOps + 16);
  before = load_uops(uops<const Index&>([](uint32_t i) { return i % 2; }, one));
  EXPECT_LE(cycles_each(before, "alu.add.split" + shape + "imm=3"), kMicroOps + 16);
  before = load_uops(uops<const Index&>(own, another));
  EXPECT_LE(cycles_each(before, "alu.add.split" + shape + "use_src imm=0"), 2 * kMicroOps + 16);
}

TEST_F(Throughput, LoadAndStoreTakeABeatACycle) {
  constexpr double kBeats = 7 * 7 * 2, kPadded = 9 * 9 - 7 * 7;
  EXPECT_LE(cycles_each("", "load.inp sram=0 dram=64 size=[7,7] stride=7 pad=[1,1,1,1]"),
            kBeats + kPadded + 32);
  EXPECT_LE(cycles_each("", "load.inp sram=0 dram=64 size=[7,7] stride=9"), kBeats + 32);
  EXPECT_LE(cycles_each("", "store.out sram=0 dram=64 size=[7,7] stride=7"), kBeats + 32);
}

}  // namespace
}  // namespace vta::sim
