// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "hw/isa/program_bytes.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

constexpr uint64_t kProgramOffsetBytes = 2048, kArenaBytes = 4096;
constexpr uint32_t kMaxIterations = 64;  // longer loops take long and show nothing more

// An instruction of each format and stage that is checked, with one element in range.
constexpr const char* kInstructions[] = {
    "load.uop sram=0 dram=0 size=[1,1] stride=1",
    "load.wgt sram=0 dram=0 size=[1,1] stride=1",
    "load.inp sram=0 dram=0 size=[1,1] stride=1",
    "load.acc sram=0 dram=0 size=[1,1] stride=1",
    "load.acc8 sram=0 dram=0 size=[1,1] stride=1",
    "store.out sram=0 dram=64 size=[1,1] stride=1",
    "gemm uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]",
    "alu.add uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0]",
    "alu.req uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=0",
    // Several rows, so that the stride counts, and padding.
    "load.uop sram=0 dram=0 size=[2,3] stride=5",
    "load.wgt sram=0 dram=0 size=[2,3] stride=5",
    "load.inp sram=0 dram=0 size=[2,3] stride=5 pad=[1,1,1,1]",
    "load.acc sram=0 dram=0 size=[2,3] stride=5 pad=[1,1,1,1]",
    "store.out sram=0 dram=64 size=[2,3] stride=5",
};

// Runs `in` between two carriers, so that the fault's instruction is neither the first nor the
// last.
GeneratedProgram program_of(isa::InstructionBits in, const CoreConfig& config) {
  isa::Instruction carrier;
  carrier.opcode = isa::kLoad;
  carrier.memory = isa::kAcc;
  const isa::InstructionBits before = isa::encode(carrier, config),
                             finish = isa::encode(isa::Instruction{}, config);
  const std::vector<isa::InstructionBits> stream = {before, in, before, finish};
  GeneratedProgram program{std::vector<uint8_t>(kArenaBytes), kProgramOffsetBytes,
                           static_cast<uint32_t>(stream.size())};
  std::ranges::copy(isa::bytes_of(stream),
                    program.arena.begin() + std::ptrdiff_t{kProgramOffsetBytes});
  return program;
}

bool is_short(const isa::Instruction& in) {
  return in.iter_out <= kMaxIterations && in.iter_in <= kMaxIterations;
}

}  // namespace

std::vector<GeneratedProgram> fault_value_programs(const CoreConfig& config) {
  std::vector<GeneratedProgram> programs = {{std::vector<uint8_t>(kArenaBytes), 0, 0}};
  for (const char* text : kInstructions) {
    const isa::InstructionBits bits = isa::assemble(std::string(text) + "\n", text, config).at(0);
    for (int number = 0; number < 128; ++number) {
      isa::InstructionBits changed = bits;
      (number < 64 ? changed.lo : changed.hi) ^= uint64_t{1} << number % 64;
      // A token would be missing or left over, whatever the core does with the rest.
      const isa::Instruction in = isa::decode(changed, config);
      const bool has_tokens = (in.pop_prev | in.pop_next | in.push_prev | in.push_next) != 0;
      if (!has_tokens && is_short(in)) programs.push_back(program_of(changed, config));
    }
  }
  return programs;
}

}  // namespace vta::support
