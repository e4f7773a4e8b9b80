// SPDX-License-Identifier: Apache-2.0
//
// Random programs for any core: legal by construction, or illegal by one mistake in a legal
// program.
#ifndef VTA_TESTS_SUPPORT_PROGRAM_GENERATOR_H_
#define VTA_TESTS_SUPPORT_PROGRAM_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"

namespace vta::support {

// An arena for micro-ops, data and instructions.
struct GeneratedProgram {
  std::vector<uint8_t> arena;
  uint64_t program_offset_bytes = 0;
  uint32_t num_instructions = 0;
  std::vector<isa::InstructionBits> instructions() const;
};

// `program`, encoded, after `data` in one arena.
GeneratedProgram program_after_data(std::vector<uint8_t> data,
                                    const std::vector<isa::Instruction>& program,
                                    const CoreConfig& config);

// Generates a legal program: without faults and races, with the same result on every device. It
// depends on the seed only, which also selects plain, split (if the core supports it) or mixed
// programs, and programs shorter or longer than the command queues.
GeneratedProgram generate_legal_program(const CoreConfig& config, uint64_t seed);

// Generates a legal program with one mistake that aims at this fault. The golden interpreter
// decides whether it causes the fault, and whether its result is the same in every order of the
// stages; see find_illegal_program().
GeneratedProgram generate_mistaken_program(const CoreConfig& config, isa::FaultCode fault,
                                           uint64_t seed);

// Returns the first program with a mistake, from `seed` on (of a few hundred), that stops with
// exactly `fault`, without a race and with the same result in three orders of the stages. In one of
// them the compute stages' queues also have the fewest and the most instructions.
std::optional<GeneratedProgram> find_illegal_program(const CoreConfig& config, isa::FaultCode fault,
                                                     uint64_t seed);

struct IllegalProgram {
  isa::FaultCode fault;
  uint64_t seed;
  GeneratedProgram program;
};

// For every fault the programs that find_illegal_program() finds, with seeds 0 to per_fault - 1 of
// ranges that do not overlap; a core may lack some.
std::vector<IllegalProgram> illegal_programs(const CoreConfig& config, uint64_t per_fault);

// For each bit that must be zero in a load, a store, a GEMM, an ALU instruction and a FINISH: a
// program of that instruction, with the bit set, and a FINISH.
std::vector<GeneratedProgram> reserved_bit_programs(const CoreConfig& config);

// For each bit of instructions of each kind: a program of the instruction with the bit changed,
// between others. Most stop with a fault, whose value depends on the bit. Also changes from split
// to plain with up to three tokens too many or too few in each queue between gemm and alu, and a
// program without instructions.
std::vector<GeneratedProgram> fault_value_programs(const CoreConfig& config);

// For each token queue a program that pushes more tokens than it holds before it pops the first;
// for each command queue one whose stage waits until fetch does, too. One for the beats of stores,
// and some in which the queues of gemm and alu are full at once while fetch changes between plain
// and split. For cores with the extension.
std::vector<GeneratedProgram> full_queue_programs(const CoreConfig& config);

// For each stage a program that ends in a deadlock: the stage waits for a token, and fetch for its
// queue. For cores with the extension.
std::vector<GeneratedProgram> blocked_queue_programs(const CoreConfig& config);

// A program for each port, in the order of MemoryMaster, of which only this port accesses memory
// after the arena. On a core that is told that the arena is larger, the memory answers with an
// error.
std::vector<GeneratedProgram> bus_error_programs(const CoreConfig& config);

// Programs that store all 32 bits of the results of ALU instructions: shifts by every distance, the
// other opcodes with immediates at their limits and with two operands.
std::vector<GeneratedProgram> alu_result_programs(const CoreConfig& config);

// Random split programs whose GEMM and ALU instructions run at the same time, on different elements
// of the same banks of ACC, while micro-ops and accumulators are loaded. For cores with the
// extension.
std::vector<GeneratedProgram> shared_port_programs(const CoreConfig& config);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_PROGRAM_GENERATOR_H_
