// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw/isa/program_bytes.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

constexpr const char* kInstructions[] = {
    "load.inp sram=0 dram=0 size=[1,1] stride=1",
    "store.out sram=0 dram=64 size=[1,1] stride=1",
    "gemm uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]",
    "alu.add uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0]",
    "finish",
};
constexpr uint64_t kProgramOffsetBytes = 2048, kArenaBytes = 4096;

isa::InstructionBits with_bit(isa::InstructionBits bits, int number) {
  (number < 64 ? bits.lo : bits.hi) ^= uint64_t{1} << number % 64;
  return bits;
}

GeneratedProgram program_of(const std::vector<isa::InstructionBits>& stream) {
  GeneratedProgram program{std::vector<uint8_t>(kArenaBytes), kProgramOffsetBytes,
                           static_cast<uint32_t>(stream.size())};
  std::ranges::copy(isa::bytes_of(stream),
                    program.arena.begin() + std::ptrdiff_t{kProgramOffsetBytes});
  return program;
}

}  // namespace

std::vector<GeneratedProgram> reserved_bit_programs(const CoreConfig& config) {
  const isa::InstructionBits finish = isa::assemble("finish\n", "finish", config).at(0);
  std::vector<GeneratedProgram> programs;
  for (const char* text : kInstructions) {
    const isa::InstructionBits bits = isa::assemble(std::string(text) + "\n", text, config).at(0);
    for (int number = 0; number < 128; ++number) {
      const isa::InstructionBits changed = with_bit(bits, number);
      const auto fault = isa::find_encoding_fault(changed, config);
      if (fault && fault->code == isa::kReservedBits)
        programs.push_back(program_of({changed, finish}));
    }
  }
  return programs;
}

}  // namespace vta::support
