// SPDX-License-Identifier: Apache-2.0
//
// Counts with their noun, for messages.
#ifndef VTA_BASE_ERRORS_COUNTED_H_
#define VTA_BASE_ERRORS_COUNTED_H_

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace vta {

// "images", "entries", "classes", "axes".
std::string plural_of(std::string_view noun);

// "1 image", "2 images". `noun`: singular, with adjectives before it ("calibration input").
template <std::integral Count>
std::string counted(Count count, std::string_view noun) {
  return fmt::format("{} {}", count, count == 1 ? std::string(noun) : plural_of(noun));
}

}  // namespace vta

#endif  // VTA_BASE_ERRORS_COUNTED_H_
