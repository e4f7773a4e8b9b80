// SPDX-License-Identifier: Apache-2.0
//
// Random programs for any core: legal ones by construction, and illegal ones, each a legal one with
// a mistake.
#ifndef VTA_TESTS_SUPPORT_PROGRAM_GENERATOR_H_
#define VTA_TESTS_SUPPORT_PROGRAM_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"

namespace vta::support {

// An arena that holds everything: micro-ops, data, and the instructions.
struct GeneratedProgram {
  std::vector<uint8_t> arena;
  uint64_t program_offset_bytes = 0;
  uint32_t num_instructions = 0;
  std::vector<isa::InstructionBits> instructions() const;
};

// A legal program: free of faults and races, its result the same on every device. The seed alone
// decides it; whether plain, split (where the core has it) or mixed, short or longer than the
// command queues, is drawn too.
GeneratedProgram generate_legal_program(const CoreConfig& config, uint64_t seed);

// A legal program with one mistake that aims at this fault. Whether it meets it, and whether its
// result is the same in every order of the stages, the golden interpreter tells; see
// find_illegal_program().
GeneratedProgram generate_mistaken_program(const CoreConfig& config, isa::FaultCode fault,
                                           uint64_t seed);

// The first mistaken program at or after `seed` (of a few hundred) that stops with exactly `fault`,
// without a race and the same in three orders of the stages.
std::optional<GeneratedProgram> find_illegal_program(const CoreConfig& config, isa::FaultCode fault,
                                                     uint64_t seed);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_PROGRAM_GENERATOR_H_
