// SPDX-License-Identifier: Apache-2.0
//
// What the compiler makes of a small network, as seeds.
#ifndef VTA_TESTS_FUZZ_COMPILED_SEEDS_H_
#define VTA_TESTS_FUZZ_COMPILED_SEEDS_H_

#include <filesystem>

namespace vta::fuzz {

// Writes program/small (.vta) and quantized/small (.vtaq).
void write_compiled_seeds(const std::filesystem::path& folder);

}  // namespace vta::fuzz

#endif  // VTA_TESTS_FUZZ_COMPILED_SEEDS_H_
