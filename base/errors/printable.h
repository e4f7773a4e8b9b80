// SPDX-License-Identifier: Apache-2.0
//
// Text of files and servers on a terminal: names, labels and messages must not control it.
#ifndef VTA_BASE_ERRORS_PRINTABLE_H_
#define VTA_BASE_ERRORS_PRINTABLE_H_

#include <fmt/format.h>

#include <string>
#include <utility>

namespace vta {

// Replaces control characters by '?': C0 except tab and line feed, DEL, and C1 in UTF-8.
std::string printable(std::string text);

// Also tab and line feed.
std::string printable_line(std::string text);

// Writes to standard output. Errors: kIo, then or from a later call, as the output is buffered.
void write_out(const std::string& text);

// Writes what is buffered. Errors: kIo, also of what was written before.
void flush_out();

// Formats, and writes printable() of it to standard output. Errors: kIo.
template <typename... Args>
void print_out(fmt::format_string<Args...> format, Args&&... args) {
  write_out(printable(fmt::format(format, std::forward<Args>(args)...)));
}

}  // namespace vta

#endif  // VTA_BASE_ERRORS_PRINTABLE_H_
