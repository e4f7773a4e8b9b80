// SPDX-License-Identifier: Apache-2.0
//
// A stream in the form of VTA's own runtime, on a core without the extension: the blocked matrix
// multiplication of its tutorials, [1, 1024] x [1024, 1024], then >> 8, max 0, min 127. Its
// peculiarities: each micro-op kernel is loaded at its first use and cached, no-ops are LOADs and
// STOREs of size 0 with memory id UOP. The last token exchange is a separate no-op, and FINISH has
// no flags.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/numbers/random.h"
#include "hw/isa/instruction.h"
#include "sim/functional/functional_device.h"

namespace vta {
namespace {

constexpr int64_t kChannels = 1024, kBlock = 16, kBlocks = kChannels / kBlock;
constexpr int64_t kTile = 16, kTiles = kBlocks / kTile;  // blocks of a tile in each dimension
// Byte offsets in the arena.
constexpr uint64_t kInput = 0, kOutput = 4096, kUops = 8192, kProgram = 16384, kWeights = 1 << 20;
constexpr uint64_t kArenaBytes = kWeights + kChannels * kChannels;

// Micro-op kernels of one micro-op each, in order of their first use.
enum Kernel { kReset, kMultiply, kShift, kMax, kMin, kNumKernels };

CoreConfig vta_core() {
  return parse_core_config(
      R"({"TARGET": "sim", "HW_VER": "0.0.2", "LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3, "LOG_ACC_WIDTH": 5,
          "LOG_BATCH": 0, "LOG_BLOCK": 4, "LOG_UOP_BUFF_SIZE": 15, "LOG_INP_BUFF_SIZE": 15,
          "LOG_WGT_BUFF_SIZE": 18, "LOG_ACC_BUFF_SIZE": 17})",
      "vta_config.json");
}

std::string matrix_multiply() {
  std::string text;
  const auto line = [&](const char* format, const auto&... arguments) {
    text += fmt::format(fmt::runtime(format), arguments...) + "\n";
  };
  bool loaded[kNumKernels] = {};
  const auto use = [&](Kernel kernel) {
    if (std::exchange(loaded[kernel], true)) return;
    line("load.uop sram={} dram={} size=[1,1] stride=1", int{kernel}, kUops / 4 + kernel);
  };
  for (int64_t oc = 0; oc < kTiles; ++oc) {
    use(kReset);
    line("gemm.reset {} push_prev uop=[{},{}) iter=[{},1] dst=[1,0] src=[0,0] wgt=[0,0]",
         oc > 0 ? "pop_next" : "", int{kReset}, kReset + 1, kTile);
    for (int64_t ic = 0; ic < kTiles; ++ic) {
      line("load.inp pop_next sram=0 dram={} size=[1,{}] stride={}", ic * kTile, kTile, kTile);
      line("load.wgt push_next sram=0 dram={} size=[{},{}] stride={}",
           static_cast<int64_t>(kWeights) / (kBlock * kBlock) + oc * kTile * kBlocks + ic * kTile,
           kTile, kTile, kBlocks);
      use(kMultiply);
      line("gemm pop_prev {} uop=[{},{}) iter=[{},{}] dst=[1,0] src=[0,1] wgt=[{},1]",
           ic + 1 < kTiles ? "push_prev" : "", int{kMultiply}, kMultiply + 1, kTile, kTile, kTile);
    }
    const std::pair<Kernel, std::string> passes[] = {{kShift, "shr"}, {kMax, "max"}, {kMin, "min"}};
    const int immediates[] = {8, 0, 127};
    for (size_t pass = 0; pass < 3; ++pass) {
      const auto& [kernel, name] = passes[pass];
      use(kernel);
      line("alu.{} {} uop=[{},{}) iter=[1,{}] dst=[0,1] src=[0,1] imm={}", name,
           pass == 2 ? "push_next" : "", int{kernel}, kernel + 1, kTile, immediates[pass]);
    }
    line("store.out pop_prev push_prev sram=0 dram={} size=[1,{}] stride={}",
         static_cast<int64_t>(kOutput) / kBlock + oc * kTile, kTile, kTile);
  }
  // The end: load pushes a token to compute, a no-op of compute pops both neighbours, FINISH
  // follows.
  line("load.inp push_next sram=0 dram=0 size=[0,0] stride=0");
  line("store.uop sram=0 dram=0 size=[0,0] stride=0");
  line("load.uop pop_prev pop_next sram=0 dram=0 size=[0,0] stride=0");
  line("finish");
  return text;
}

TEST(VtaRuntimeStream, MultipliesMatricesWithThePublishedCounters) {
  const CoreConfig core = vta_core();
  ASSERT_FALSE(core.extension);
  Random random(1);
  std::vector<uint8_t> arena(kArenaBytes);
  for (int64_t i = 0; i < kChannels; ++i) arena[kInput + i] = static_cast<uint8_t>(random.next());
  for (int64_t i = 0; i < kChannels * kChannels; ++i)
    arena[kWeights + i] = static_cast<uint8_t>(random.next());
  // All kernels are the micro-op {0, 0, 0}: the factors of the instructions generate the indices.
  const std::vector<isa::InstructionBits> stream = isa::assemble(matrix_multiply(), "stream", core);
  std::memcpy(&arena[kProgram], stream.data(), stream.size() * sizeof stream[0]);

  const auto device = sim::open_functional_device("functional", core);
  const driver::DeviceAddress base = device->allocate(kArenaBytes);
  device->copy_in(base, arena);
  const hw::Counters counters =
      device->run({base, kArenaBytes, kProgram, static_cast<uint32_t>(stream.size())});
  EXPECT_EQ(counters.inp_load_nbytes, 4096u);
  EXPECT_EQ(counters.wgt_load_nbytes, 1048576u);
  EXPECT_EQ(counters.acc_load_nbytes, 0u);
  EXPECT_EQ(counters.uop_load_nbytes, 20u);
  EXPECT_EQ(counters.out_store_nbytes, 1024u);
  EXPECT_EQ(counters.gemm_counter, 4096u);
  EXPECT_EQ(counters.alu_counter, 192u);

  std::vector<uint8_t> output(kChannels);
  device->copy_out(output, {base.bytes + kOutput});
  for (int64_t o = 0; o < kChannels; ++o) {
    int64_t sum = 0;
    for (int64_t i = 0; i < kChannels; ++i) {
      const int64_t element = o / kBlock * kBlocks + i / kBlock;  // [oc blocks][ic blocks][16][16]
      const int64_t weight = element * kBlock * kBlock + o % kBlock * kBlock + i % kBlock;
      sum += static_cast<int8_t>(arena[kInput + i]) * static_cast<int8_t>(arena[kWeights + weight]);
    }
    const int64_t expected = std::clamp<int64_t>(sum >> 8, 0, 127);
    ASSERT_EQ(static_cast<int8_t>(output[o]), expected) << "output channel " << o;
  }
}

}  // namespace
}  // namespace vta
