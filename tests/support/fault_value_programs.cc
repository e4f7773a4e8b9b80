// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <string>

#include "hw/isa/program_bytes.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

constexpr uint64_t kProgramOffsetBytes = 2048, kArenaBytes = 4096;
constexpr int kMaxTokens = 3;
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

isa::Instruction carrier(isa::MemoryId memory, bool split) {
  isa::Instruction in;
  in.opcode = isa::kLoad;
  in.memory = memory;
  in.split = split;
  return in;
}

GeneratedProgram program_of(const std::vector<isa::InstructionBits>& stream) {
  GeneratedProgram program{std::vector<uint8_t>(kArenaBytes), kProgramOffsetBytes,
                           static_cast<uint32_t>(stream.size())};
  std::ranges::copy(isa::bytes_of(stream),
                    program.arena.begin() + std::ptrdiff_t{kProgramOffsetBytes});
  return program;
}

// Runs `in` between two carriers, so that the fault's instruction is neither the first nor the
// last.
GeneratedProgram between_carriers(isa::InstructionBits in, const CoreConfig& config) {
  const isa::InstructionBits before = isa::encode(carrier(isa::kAcc, false), config),
                             finish = isa::encode(isa::Instruction{}, config);
  return program_of({before, in, before, finish});
}

// A plain instruction after so many pushes, or pops if negative, of each queue between gemm and
// alu.
GeneratedProgram tokens_at_change(int gemm_to_alu, int alu_to_gemm, const CoreConfig& config) {
  const isa::Instruction gemm = carrier(isa::kUop, true), alu = carrier(isa::kAcc, true);
  isa::Instruction forward = gemm_to_alu > 0 ? gemm : alu, back = alu_to_gemm > 0 ? alu : gemm;
  (gemm_to_alu > 0 ? forward.push_next : forward.pop_prev) = 1;
  (alu_to_gemm > 0 ? back.push_prev : back.pop_next) = 1;
  std::vector<isa::InstructionBits> stream;
  stream.insert(stream.end(), static_cast<size_t>(std::abs(gemm_to_alu)),
                isa::encode(forward, config));
  stream.insert(stream.end(), static_cast<size_t>(std::abs(alu_to_gemm)),
                isa::encode(back, config));
  stream.push_back(isa::encode(carrier(isa::kAcc, false), config));
  stream.push_back(isa::encode(isa::Instruction{}, config));
  return program_of(stream);
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
      if (!has_tokens && is_short(in)) programs.push_back(between_carriers(changed, config));
    }
  }
  for (int gemm_to_alu = -kMaxTokens; gemm_to_alu <= kMaxTokens; ++gemm_to_alu)
    for (int alu_to_gemm = -kMaxTokens; alu_to_gemm <= kMaxTokens; ++alu_to_gemm)
      if (config.extension && (gemm_to_alu != 0 || alu_to_gemm != 0))
        programs.push_back(tokens_at_change(gemm_to_alu, alu_to_gemm, config));
  return programs;
}

}  // namespace vta::support
