// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/isa/program_bytes.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

using isa::Stage;

constexpr uint64_t kDataBytes = 4096;  // micro-op 0 and an accumulator
constexpr uint32_t kSpare = 40;        // instructions more than a queue holds

// Pushes to or pops from a neighbour.
uint32_t& flag(isa::Instruction& in, bool push, Stage own, Stage other) {
  const bool next = other > own;
  if (push) return next ? in.push_next : in.push_prev;
  return next ? in.pop_next : in.pop_prev;
}

isa::Instruction carrier(Stage stage) {
  isa::Instruction in;
  in.opcode = stage == Stage::kStore ? isa::kStore : isa::kLoad;
  in.split = stage == Stage::kGemm || stage == Stage::kAlu;
  if (stage == Stage::kLoad) in.memory = isa::kInp;
  if (stage == Stage::kGemm) in.memory = isa::kUop;
  if (stage == Stage::kAlu) in.memory = isa::kAcc;
  if (stage == Stage::kStore) in.memory = isa::kOut;
  return in;
}

isa::Instruction load_element(Stage stage) {
  isa::Instruction in = carrier(stage);
  in.x_size = in.y_size = in.x_stride = 1;
  in.dram_base = stage == Stage::kGemm ? 0 : 1;
  return in;
}

// Adds 1 to accumulator 0 in a loop that takes longer than fetch takes to fill a queue.
isa::Instruction slow_alu(const CoreConfig& config) {
  isa::Instruction in;
  in.opcode = isa::kAlu;
  in.split = true;
  in.alu_opcode = isa::kAdd;
  in.use_imm = in.imm = 1;
  in.uop_end = 1;
  in.iter_out = std::max(1u, config.command_queue_depth / 4);
  in.iter_in = 32;
  return in;
}

// All pushes before the first pop.
std::vector<isa::Instruction> fill_token_queue(const CoreConfig& config, Stage from, Stage to) {
  const uint32_t tokens = config.token_queue_depth + kSpare;
  isa::Instruction pushes = carrier(from), pops = carrier(to);
  flag(pushes, true, from, to) = 1;
  flag(pops, false, to, from) = 1;
  std::vector<isa::Instruction> program(tokens, pushes);
  program.insert(program.end(), tokens, pops);
  return program;
}

// `stage` waits for the slow instruction of alu, directly or through gemm, and then has more
// instructions than its queue holds.
std::vector<isa::Instruction> fill_command_queue(const CoreConfig& config, Stage stage) {
  isa::Instruction uop = load_element(Stage::kGemm), acc = load_element(Stage::kAlu);
  isa::Instruction slow = slow_alu(config);
  uop.push_next = acc.pop_prev = 1;
  std::vector<isa::Instruction> program = {uop, acc, slow};
  isa::Instruction first = carrier(stage);
  if (stage == Stage::kStore) {
    program.back().push_next = first.pop_prev = 1;
  } else if (stage != Stage::kAlu) {
    program.back().push_prev = first.pop_next = 1;
  }
  if (stage == Stage::kLoad) {
    isa::Instruction between = carrier(Stage::kGemm);
    between.pop_next = between.push_prev = 1;
    program.push_back(between);
  }
  program.push_back(first);
  program.insert(program.end(), config.command_queue_depth + kSpare, carrier(stage));
  return program;
}

GeneratedProgram program_of(const CoreConfig& config, std::vector<isa::Instruction> instructions) {
  instructions.emplace_back();  // FINISH
  std::vector<isa::InstructionBits> stream;
  for (const isa::Instruction& in : instructions) stream.push_back(isa::encode(in, config));
  GeneratedProgram program{std::vector<uint8_t>(kDataBytes), kDataBytes,
                           static_cast<uint32_t>(stream.size())};
  program.arena.insert(program.arena.end(), isa::bytes_of(stream).begin(),
                       isa::bytes_of(stream).end());
  return program;
}

}  // namespace

std::vector<GeneratedProgram> full_queue_programs(const CoreConfig& config) {
  std::vector<GeneratedProgram> programs;
  for (const auto& [left, right] :
       {std::pair{Stage::kLoad, Stage::kGemm}, std::pair{Stage::kGemm, Stage::kAlu},
        std::pair{Stage::kAlu, Stage::kStore}}) {
    programs.push_back(program_of(config, fill_token_queue(config, left, right)));
    programs.push_back(program_of(config, fill_token_queue(config, right, left)));
  }
  for (const Stage stage : {Stage::kLoad, Stage::kGemm, Stage::kAlu, Stage::kStore})
    programs.push_back(program_of(config, fill_command_queue(config, stage)));
  return programs;
}

}  // namespace vta::support
