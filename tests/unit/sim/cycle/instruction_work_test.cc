// SPDX-License-Identifier: Apache-2.0
//
// The record of single instructions in random programs, plain, split and mixed. Each instruction is
// executed once in each process of its stage, moves the tokens of its flags, and the sums of bytes
// equal the counters. The rest are carriers. VTA_TEST_COUNT programs (default 300).
#include "sim/timed/instruction_work.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "configs/core_config.h"
#include "sim/cycle/cycle_core.h"
#include "tests/support/program_generator.h"
#include "tests/support/test_count.h"
#include "tests/support/timed_run.h"

namespace vta::sim {
namespace {

using Queues = std::set<TokenQueue>;

struct RecordedRun {
  CoreConfig config;
  std::vector<isa::InstructionBits> stream;
  RunTrace trace;
  hw::Counters counters;

  std::vector<InstructionWork> of(Process process) const {
    return instruction_work(trace, process, stream, config);
  }
};

RecordedRun record(const CoreConfig& config, uint64_t seed) {
  const support::GeneratedProgram program = support::generate_legal_program(config, seed);
  RecordedRun recorded{config, program.instructions(), {}, {}};
  std::vector<uint8_t> arena;
  const auto core = make_cycle_core(config, load_memory_config("ideal64"), false);
  core->record(&recorded.trace);
  recorded.counters = support::run_on(*core, program, arena).counters;
  return recorded;
}

Queues without(const std::vector<TokenQueue>& queues, const Queues& others) {
  Queues rest(queues.begin(), queues.end());
  for (TokenQueue queue : others) rest.erase(queue);
  return rest;
}

void expect_tokens_of_flags(const isa::Instruction& instruction, Process process,
                            const InstructionWork& work) {
  Queues pops, pushes;
  const auto expect = [](Queues& queues, uint32_t flag, TokenQueue queue) {
    if (flag != 0) queues.insert(queue);
  };
  // Plain programs have one compute stage; fetch alternates its two halves.
  const bool plain = !instruction.split;
  const Queues turns = plain ? Queues{kTokens_gemm_to_alu, kTokens_alu_to_gemm} : Queues{};
  const bool pushes_any = instruction.opcode != isa::kFinish;
  if (process == kProcess_load_request) {
    expect(pops, instruction.pop_next, kTokens_gemm_to_load);
  } else if (process == kProcess_load_data) {
    expect(pushes, instruction.push_next, kTokens_load_to_gemm);
  } else if (process == kProcess_gemm) {
    expect(pops, instruction.pop_prev, kTokens_load_to_gemm);
    expect(pops, !plain && instruction.pop_next, kTokens_alu_to_gemm);
    expect(pushes, pushes_any && instruction.push_prev, kTokens_gemm_to_load);
    expect(pushes, !plain && instruction.push_next, kTokens_gemm_to_alu);
  } else if (process == kProcess_alu) {
    expect(pops, !plain && instruction.pop_prev, kTokens_gemm_to_alu);
    expect(pops, instruction.pop_next, kTokens_store_to_alu);
    expect(pushes, !plain && instruction.push_prev, kTokens_alu_to_gemm);
    expect(pushes, instruction.push_next, kTokens_alu_to_store);
  } else if (process == kProcess_store_read) {
    expect(pops, instruction.pop_prev, kTokens_alu_to_store);
  } else {
    expect(pushes, instruction.push_prev, kTokens_store_to_alu);
  }
  EXPECT_EQ(without(work.pops, turns), pops);
  EXPECT_EQ(without(work.pushes, turns), pushes);
}

// Returns the number of bytes that the process moved.
uint64_t expect_each_once(const RecordedRun& run, Process process, isa::Stage stage) {
  std::vector<uint32_t> indices;
  uint64_t bytes = 0, end = 0;
  for (const InstructionWork& work : run.of(process)) {
    SCOPED_TRACE(fmt::format("instruction {} in {}", work.work.index, isa::to_string(stage)));
    EXPECT_LE(end, work.work.begin);
    end = work.work.end;
    uint64_t cycles = 0;
    for (uint64_t in_state : work.state_cycles) cycles += in_state;
    EXPECT_EQ(cycles, work.work.end - work.work.begin);
    bytes += work.moved_bytes;
    if (work.is_carrier) continue;
    indices.push_back(work.work.index);
    expect_tokens_of_flags(isa::decode(run.stream[work.work.index], run.config), process, work);
  }
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < run.stream.size(); ++i) {
    if (isa::stage_of(isa::decode(run.stream[i], run.config)) == stage) expected.push_back(i);
  }
  EXPECT_EQ(indices, expected);
  return bytes;
}

TEST(InstructionWork, IsOfEachInstructionOnceWithItsTokensAndBytes) {
  const CoreConfig config = load_core_config("tiny_1x8");
  const uint64_t programs = support::test_count(300);
  for (uint64_t seed = 0; seed < programs && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    const RecordedRun run = record(config, seed);
    const hw::Counters& c = run.counters;
    EXPECT_EQ(expect_each_once(run, kProcess_load_request, isa::Stage::kLoad), 0u);
    EXPECT_EQ(expect_each_once(run, kProcess_load_data, isa::Stage::kLoad),
              c.inp_load_nbytes + c.wgt_load_nbytes);
    EXPECT_EQ(expect_each_once(run, kProcess_gemm, isa::Stage::kGemm), c.uop_load_nbytes);
    EXPECT_EQ(expect_each_once(run, kProcess_alu, isa::Stage::kAlu), c.acc_load_nbytes);
    EXPECT_EQ(expect_each_once(run, kProcess_store_read, isa::Stage::kStore), 0u);
    EXPECT_EQ(expect_each_once(run, kProcess_store_write, isa::Stage::kStore), c.out_store_nbytes);
  }
}

}  // namespace
}  // namespace vta::sim
