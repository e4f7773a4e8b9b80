// SPDX-License-Identifier: Apache-2.0
//
// Text of files and servers on a terminal: names, labels and messages must not control it.
#ifndef VTA_RUNTIME_BASE_PRINTABLE_H_
#define VTA_RUNTIME_BASE_PRINTABLE_H_

#include <fmt/format.h>

#include <string>
#include <utility>

namespace vta {

// Replaces control characters by '?': C0 except tab and line feed, DEL, and C1 in UTF-8.
std::string printable(std::string text);

// Formats, and prints printable() of it to standard output.
template <typename... Args>
void print_out(fmt::format_string<Args...> format, Args&&... args) {
  fmt::print("{}", printable(fmt::format(format, std::forward<Args>(args)...)));
}

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_PRINTABLE_H_
