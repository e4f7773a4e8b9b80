// SPDX-License-Identifier: Apache-2.0
#include "base/errors/counted.h"

namespace vta {

std::string plural_of(std::string_view noun) {
  const std::string stem(noun.substr(0, noun.empty() ? 0 : noun.size() - 1));
  if (noun.ends_with("axis")) return stem.substr(0, stem.size() - 1) + "es";
  for (const char* ending : {"s", "x", "ch", "sh"})
    if (noun.ends_with(ending)) return std::string(noun) + "es";
  const bool has_consonant =
      !stem.empty() && std::string_view("aeiou").find(stem.back()) == std::string_view::npos;
  return noun.ends_with('y') && has_consonant ? stem + "ies" : std::string(noun) + "s";
}

}  // namespace vta
