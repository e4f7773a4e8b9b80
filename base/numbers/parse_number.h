// SPDX-License-Identifier: Apache-2.0
//
// Texts that are one number.
#ifndef VTA_BASE_NUMBERS_PARSE_NUMBER_H_
#define VTA_BASE_NUMBERS_PARSE_NUMBER_H_

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace vta {

// The number that is the whole text, without spaces, '+' or a prefix, or nothing: also if Number
// cannot hold it, or it is infinite or NaN. `base`: of an integer.
template <typename Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  Number value{};
  const char* const end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::floating_point<Number>) {
    result = std::from_chars(text.data(), end, value);
    if (!std::isfinite(value)) return std::nullopt;
  } else {
    result = std::from_chars(text.data(), end, value, base);
  }
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace vta

#endif  // VTA_BASE_NUMBERS_PARSE_NUMBER_H_
