// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

using isa::Stage;

constexpr uint64_t kMinDataBytes = 4096;  // micro-op 0, an accumulator, what is stored
constexpr uint32_t kSpare = 40;           // instructions more than a queue holds
constexpr uint32_t kSlowIterations = 32;
constexpr uint32_t kStores = 8;

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

// Adds 1 to accumulator 0 in a loop, `iter_out` times kSlowIterations times.
isa::Instruction slow_alu(uint32_t iter_out) {
  isa::Instruction in;
  in.opcode = isa::kAlu;
  in.split = true;
  in.alu_opcode = isa::kAdd;
  in.use_imm = in.imm = 1;
  in.uop_end = 1;
  in.iter_out = iter_out;
  in.iter_in = kSlowIterations;
  return in;
}

// Fills the queue, pops twice before the next push, and fills it again until `from` waits. A token
// back makes the push wait for the pops.
std::vector<isa::Instruction> fill_token_queue(const CoreConfig& config, Stage from, Stage to) {
  isa::Instruction pushes = carrier(from), pops = carrier(to);
  flag(pushes, true, from, to) = 1;
  flag(pops, false, to, from) = 1;
  isa::Instruction answers = pops, again = pushes;
  flag(answers, true, to, from) = flag(again, false, from, to) = 1;
  std::vector<isa::Instruction> program(config.token_queue_depth, pushes);
  program.insert(program.end(), {pops, answers, again});
  program.insert(program.end(), kSpare, pushes);
  program.insert(program.end(), config.token_queue_depth + kSpare - 1, pops);
  return program;
}

// The first instruction waits for a token that nothing pushes, and the queue of its stage is full.
std::vector<isa::Instruction> block_stage(const CoreConfig& config, Stage stage) {
  std::vector<isa::Instruction> program(config.command_queue_depth + kSpare, carrier(stage));
  (stage == Stage::kLoad ? program[0].pop_next : program[0].pop_prev) = 1;
  return program;
}

// Begins a program: alu is busy for longer than fetch takes to fill a queue.
std::vector<isa::Instruction> occupy_alu(uint32_t iter_out) {
  isa::Instruction uop = load_element(Stage::kGemm), acc = load_element(Stage::kAlu);
  uop.push_next = acc.pop_prev = 1;
  return {uop, acc, slow_alu(std::max(1u, iter_out))};
}

// `stage` waits for the slow instruction of alu, directly or through gemm, and then has more
// instructions than its queue holds.
std::vector<isa::Instruction> fill_command_queue(const CoreConfig& config, Stage stage) {
  std::vector<isa::Instruction> program = occupy_alu(config.command_queue_depth / 4);
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

// Stores without anything between them: their beats wait in the queue between the two processes of
// store while the memory answers.
std::vector<isa::Instruction> fill_store_beats(const CoreConfig& config) {
  isa::Instruction store = load_element(Stage::kStore);
  store.x_size = store.x_stride = config.acc_depth();
  store.dram_base = 0;
  return std::vector<isa::Instruction>(kStores, store);
}

// How often an instruction is of each kind, in percent; the rest is split.
struct Mixture {
  int plain, gemm, tokens;
};
// From programs that change often between plain and split to programs of one half.
constexpr Mixture kMixtures[] = {{50, 50, 0}, {90, 50, 50},  {100, 50, 60}, {50, 90, 0},
                                 {50, 10, 0}, {100, 90, 30}, {100, 10, 30}, {5, 50, 20}};

// Adds a carrier of VTA's compute stage with random tokens, and those of load and store that they
// need.
void add_plain(std::vector<isa::Instruction>& program, Stage stage, int tokens, Random& random) {
  isa::Instruction in = carrier(stage), load = carrier(Stage::kLoad),
                   store = carrier(Stage::kStore);
  in.split = false;
  const auto draws = [&] { return random.chance(tokens) ? 1u : 0u; };
  in.pop_prev = load.push_next = draws();
  in.pop_next = store.push_prev = draws();
  in.push_prev = draws(), in.push_next = draws();
  if (load.push_next != 0) program.push_back(load);
  if (store.push_prev != 0) program.push_back(store);
  program.push_back(in);
  load = carrier(Stage::kLoad), store = carrier(Stage::kStore);
  load.pop_next = store.pop_prev = 1;
  if (in.push_prev != 0) program.push_back(load);
  if (in.push_next != 0) program.push_back(store);
}

// The queues of gemm and alu become full in every order, because both wait for alu: fetch waits at
// each place where it sends a carrier of its own.
std::vector<isa::Instruction> crowd_queues(const CoreConfig& config, const Mixture& mixture,
                                           Random& random) {
  std::vector<isa::Instruction> program = occupy_alu(config.command_queue_depth / 12);
  const size_t instructions = config.command_queue_depth + 3 * size_t{kSpare};
  while (program.size() < instructions) {
    const Stage stage = random.chance(mixture.gemm) ? Stage::kGemm : Stage::kAlu;
    if (random.chance(mixture.plain)) {
      add_plain(program, stage, mixture.tokens, random);
    } else {
      program.push_back(carrier(stage));
    }
  }
  return program;
}

GeneratedProgram program_of(const CoreConfig& config, std::vector<isa::Instruction> instructions) {
  instructions.emplace_back();  // FINISH
  const uint64_t data_bytes =
      std::max(kMinDataBytes, uint64_t{config.acc_depth()} * config.out_elem_bytes());
  return program_after_data(std::vector<uint8_t>(data_bytes), instructions, config);
}

}  // namespace

std::vector<GeneratedProgram> blocked_queue_programs(const CoreConfig& config) {
  std::vector<GeneratedProgram> programs;
  for (const Stage stage : {Stage::kLoad, Stage::kGemm, Stage::kAlu, Stage::kStore})
    programs.push_back(program_of(config, block_stage(config, stage)));
  return programs;
}

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
  programs.push_back(program_of(config, fill_store_beats(config)));
  Random random(config.command_queue_depth);
  for (const Mixture& mixture : kMixtures)
    programs.push_back(program_of(config, crowd_queues(config, mixture, random)));
  return programs;
}

}  // namespace vta::support
