// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/names.h"

#include <algorithm>
#include <string_view>

namespace vta::graph {

bool is_name_letter(char c) {
  constexpr std::string_view kOthers = "_./:-";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(c) != std::string_view::npos;
}

std::string legal_name(const std::string& wanted, const char* fallback) {
  constexpr size_t kMaxChars = 100;
  std::string name = wanted.substr(0, kMaxChars);
  std::replace_if(name.begin(), name.end(), [](char c) { return !is_name_letter(c); }, '_');
  return name.empty() ? fallback : name;
}

}  // namespace vta::graph
