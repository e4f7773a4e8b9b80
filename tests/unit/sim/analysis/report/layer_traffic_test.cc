// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/layer_traffic.h"

#include <gtest/gtest.h>

namespace vta::sim {
namespace {

std::vector<isa::Instruction> instructions(const std::string& text, const CoreConfig& core) {
  std::vector<isa::Instruction> result;
  for (const isa::InstructionBits& bits : isa::assemble(text, "test", core))
    result.push_back(isa::decode(bits, core));
  return result;
}

uint64_t of(const std::array<uint64_t, kNumTrafficKinds>& bytes, TrafficKind kind) {
  return bytes[static_cast<size_t>(kind)];
}

// Two loads of three rows of two INP elements of 16 bytes, of which one row is the same.
constexpr const char* kOverlapping = R"(
load.inp sram=0 dram=100 size=[3,2] stride=10
load.inp sram=8 dram=120 size=[3,2] stride=10
load.wgt sram=0 dram=4 size=[1,2] stride=2
store.out sram=0 dram=500 size=[1,4] stride=4
)";

TEST(LayerTraffic, CountsEachByteOnceInTheMinimum) {
  const CoreConfig core = load_core_config("vta_1x16");
  const LayerTraffic traffic = layer_traffic(instructions(kOverlapping, core), core);
  EXPECT_EQ(of(traffic.bytes, TrafficKind::kInp), 12u * 16);
  EXPECT_EQ(of(traffic.min_bytes, TrafficKind::kInp), 10u * 16);
  EXPECT_EQ(of(traffic.bytes, TrafficKind::kWgt), 2u * 256);
  EXPECT_EQ(of(traffic.min_bytes, TrafficKind::kWgt), 2u * 256);
  EXPECT_EQ(of(traffic.bytes, TrafficKind::kOut), 4u * 16);
  EXPECT_EQ(of(traffic.bytes, TrafficKind::kInstructions), 4u * 16);
  EXPECT_EQ(traffic.sum_bytes() - traffic.sum_min_bytes(), 2u * 16);
}

TEST(MemoryBound, IsThatOfTheBusiestPortAndDirection) {
  LayerTraffic traffic;
  traffic.bytes[static_cast<size_t>(TrafficKind::kWgt)] = 8000;
  traffic.bytes[static_cast<size_t>(TrafficKind::kAcc)] = 4000;
  traffic.bytes[static_cast<size_t>(TrafficKind::kOut)] = 8000;
  // One port: 12,000 bytes of reads; writes have their own channel.
  EXPECT_EQ(memory_bound_cycles(traffic, load_memory_config("ideal64")), 1500u);
  // Loads have a port of their own, but 15.75 bytes a cycle is all that the DRAM moves.
  EXPECT_EQ(memory_bound_cycles(traffic, load_memory_config("pynq-z1")), 1270u);
}

TEST(PeakBytes, AreLimitedByPortsOrByTheDram) {
  EXPECT_DOUBLE_EQ(peak_bytes_per_cycle(load_memory_config("ideal64")), 16);
  EXPECT_DOUBLE_EQ(peak_bytes_per_cycle(load_memory_config("pynq-z1")), 15.75);
}

}  // namespace
}  // namespace vta::sim
