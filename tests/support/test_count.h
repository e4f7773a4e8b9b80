// SPDX-License-Identifier: Apache-2.0
//
// The environment variables of randomized tests: VTA_TEST_COUNT, the number of cases, and
// VTA_TEST_SEED, the first seed. scripts/campaign sets both.
#ifndef VTA_TESTS_SUPPORT_TEST_COUNT_H_
#define VTA_TESTS_SUPPORT_TEST_COUNT_H_

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "base/errors/error.h"

namespace vta::support {

// The variable `name`; `otherwise` if it is not set.
// Errors: kInvalidArgument if it is not an integer or less than `least`.
inline uint64_t environment_number(const char* name, uint64_t otherwise, uint64_t least) {
  const char* given = std::getenv(name);
  if (given == nullptr) return otherwise;
  const std::string_view text = given;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc() || end != text.end() || number < least) {
    fail(ErrorCode::kInvalidArgument, "{}={}: expected an integer of at least {}", name, text,
         least);
  }
  return number;
}

// 0 is an error: a test without cases would pass.
inline uint64_t test_count(uint64_t otherwise) {
  return environment_number("VTA_TEST_COUNT", otherwise, 1);
}
// One of `share` cases, rounded up: a test without cases would pass.
inline uint64_t share_of(uint64_t cases, uint64_t share) { return (cases + share - 1) / share; }
inline uint64_t test_seed(uint64_t otherwise) {
  return environment_number("VTA_TEST_SEED", otherwise, 0);
}

// The seeds of a randomized test: `count` from `first` on; with VTA_TEST_SEED those from it on,
// VTA_TEST_COUNT or one.
struct Seeds {
  uint64_t begin = 0, end = 0;
};
inline Seeds test_seeds(uint64_t first, uint64_t count) {
  if (std::getenv("VTA_TEST_SEED") == nullptr) return {first, first + count};
  const uint64_t begin = test_seed(first);
  return {begin, begin + test_count(1)};
}

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_TEST_COUNT_H_
