// SPDX-License-Identifier: Apache-2.0
//
// Races: random programs of which one token is missing.
#ifndef VTA_TESTS_SUPPORT_DROPPED_TOKEN_H_
#define VTA_TESTS_SUPPORT_DROPPED_TOKEN_H_

#include <array>
#include <cstdint>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"
#include "tests/support/program_generator.h"

namespace vta::support {

// Two adjacent stages; VTA's compute stage is gemm towards load and alu towards store.
struct TokenPath {
  isa::Stage from, to;
};
inline constexpr std::array<TokenPath, 6> kTokenPaths = {{{isa::Stage::kLoad, isa::Stage::kGemm},
                                                          {isa::Stage::kGemm, isa::Stage::kLoad},
                                                          {isa::Stage::kGemm, isa::Stage::kAlu},
                                                          {isa::Stage::kAlu, isa::Stage::kGemm},
                                                          {isa::Stage::kAlu, isa::Stage::kStore},
                                                          {isa::Stage::kStore, isa::Stage::kAlu}}};

// Removes the k-th push on `path` and the k-th pop from the program; false if there are fewer.
bool drop_token(GeneratedProgram& program, const CoreConfig& config, TokenPath path, uint32_t k);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_DROPPED_TOKEN_H_
