// SPDX-License-Identifier: Apache-2.0
#include "base/errors/printable.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/errors/error.h"

namespace vta {

std::string printable(std::string text) {
  constexpr char kC1Lead = '\xc2';  // U+0080 to U+00BF; C1 ends at U+009F
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) text[i] = '?';
    if (text[i] != kC1Lead || i + 1 == text.size()) continue;
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if (next >= 0x80 && next <= 0x9f) text.replace(i, 2, "?");
  }
  return text;
}

std::string printable_line(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\t' || c == '\n'; }, '?');
  return printable(std::move(text));
}

void write_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  fail(ErrorCode::kIo, "standard output: {}", std::strerror(errno));
}

void flush_out() {
  if (std::fflush(stdout) != 0) fail(ErrorCode::kIo, "standard output: {}", std::strerror(errno));
  if (std::ferror(stdout) != 0) fail(ErrorCode::kIo, "standard output: an earlier write failed");
}

}  // namespace vta
