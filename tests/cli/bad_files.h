// SPDX-License-Identifier: Apache-2.0
//
// Files with deliberate errors: truncated, oversized, mistyped. The same seed gives the same file.
#ifndef VTA_TESTS_CLI_BAD_FILES_H_
#define VTA_TESTS_CLI_BAD_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace vta::cli_test {

using Bytes = std::vector<uint8_t>;

// The bytes up to a random position before the end.
Bytes truncated(const Bytes& bytes, uint64_t seed);

// The bytes with one random bit flipped.
Bytes with_flipped_bit(const Bytes& bytes, uint64_t seed);

Bytes random_bytes(size_t count, uint64_t seed);

// JSON text in which one random value has another type, or one random object has a key too many or
// too few.
std::string with_wrong_type(const std::string& json_text, uint64_t seed);
std::string with_extra_key(const std::string& json_text, uint64_t seed);

// A .vta program with one random value of its header of another type, and a correct checksum.
Bytes program_with_wrong_type(const Bytes& program, uint64_t seed);

// A PNG file of one gray pixel whose header claims this size.
Bytes png_claiming(uint32_t width, uint32_t height);

// A .npy array in a stored zip: header text as given, data as given.
Bytes npz_with(const std::string& array_name, const std::string& npy_header, const Bytes& data);

}  // namespace vta::cli_test

#endif  // VTA_TESTS_CLI_BAD_FILES_H_
