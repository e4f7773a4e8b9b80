// SPDX-License-Identifier: Apache-2.0
//
// The overheads of configs/core_timing.h, measured on the cycle model.
#include "configs/core_timing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "configs/memory_config.h"
#include "driver/device_allocation.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"
#include "sim/cycle/cycle_device.h"

namespace vta::sim {
namespace {

constexpr uint64_t kArenaBytes = 1 << 20, kProgram = 512 << 10;

uint64_t cycles_of(const std::string& text) {
  const CoreConfig core = load_core_config("vta_1x16");
  const auto device = make_timing_device(core, load_memory_config("ideal64"));
  const auto stream = isa::assemble(text + "finish\n", "timing", core);
  const auto bytes = isa::bytes_of(stream);
  std::vector<uint8_t> arena(kArenaBytes);
  std::ranges::copy(bytes, arena.begin() + kProgram);
  const driver::DeviceAllocation memory(*device, kArenaBytes);
  device->copy_in(memory.address(), arena);
  driver::RunRequest request;
  request.arena = memory.address();
  request.arena_bytes = kArenaBytes;
  request.program_offset_bytes = kProgram;
  request.num_instructions = static_cast<uint32_t>(stream.size());
  return device->run(request).cycles.value();
}

// From an instruction to the next one of its stage: of `instruction` many times after `before`.
double cycles_apart(const std::string& before, const std::string& instruction) {
  constexpr int kFew = 20, kMany = 120;
  const auto cycles = [&](int times) {
    std::string text = before;
    for (int i = 0; i < times; ++i) text += instruction;
    return static_cast<double>(cycles_of(text));
  };
  return (cycles(kMany) - cycles(kFew)) / (kMany - kFew);
}

constexpr int kMicroOps = 16 * 16;
const std::string kUops = "load.uop sram=0 dram=0 size=[1,16] stride=16\n";

TEST(CoreTiming, OfGemmInstructions) {
  const std::string gemm = "gemm uop=[0,1) iter=[16,16] dst=[16,1] src=[16,1] wgt=[0,0]\n";
  EXPECT_NEAR(cycles_apart(kUops, gemm) - kMicroOps, kGemmOverheadCycles, 0.5);
}

TEST(CoreTiming, OfLoads) {
  const std::string load = "load.inp sram=0 dram=0 size=[1,1] stride=1\n";  // hidden beats
  EXPECT_NEAR(cycles_apart("", load), kLoadOverheadCycles, 0.5);
}

}  // namespace
}  // namespace vta::sim
