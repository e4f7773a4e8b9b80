// SPDX-License-Identifier: Apache-2.0
//
// Programs in which exactly one token orders two accesses of different stages: one program for
// every pair of accesses to a scratchpad or to DRAM that can race.
#ifndef VTA_TESTS_SUPPORT_RACE_CASES_H_
#define VTA_TESTS_SUPPORT_RACE_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "configs/core_config.h"

namespace vta::support {

struct RaceCase {
  const char* name;
  const char* text;  // of tiny_1x8; "@push" and "@pop" are replaced by the token's flags
  const char *push, *pop;
  uint32_t first_index, second_index;  // of the instructions
  const char* memory;
  uint64_t element;  // in DRAM: a byte
};

const std::vector<RaceCase>& race_cases();

// The assembly with the token, and without it.
std::string legal_text(const RaceCase& race);
std::string racy_text(const RaceCase& race);

// The arena of all cases, up to the program: micro-op 0 is {0, 0, 0}, micro-op 1 {5, 0, 0}.
inline constexpr uint64_t kRaceProgramOffset = 4096;
std::vector<uint8_t> race_case_arena(const CoreConfig& tiny);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_RACE_CASES_H_
