// SPDX-License-Identifier: Apache-2.0
#include "base/command_line/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/errors/printable.h"

namespace vta {
namespace {

constexpr int kBarWidth = 20;
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

Progress::Progress(std::FILE* stream) : Progress(stream, ::isatty(::fileno(stream)) == 1) {}

void Progress::update(const std::string& what, double fraction) {
  if (!visible_) return;
  const double clipped = fraction > 0 ? std::min(fraction, 1.0) : 0;  // NaN counts as 0
  const int filled = static_cast<int>(clipped * kBarWidth);
  const std::string line = fmt::format("{}  [{:#<{}}{:.<{}}] {:3} %", printable(what), "", filled,
                                       "", kBarWidth - filled, static_cast<int>(clipped * 100));
  if (line == line_) return;
  line_ = line;
  // Not fmt::print, which throws on a terminal that is gone.
  std::fputs((kEraseLine + line_).c_str(), stream_);
  std::fflush(stream_);
}

void Progress::clear() {
  if (line_.empty()) return;
  line_.clear();
  std::fputs(kEraseLine, stream_);
  std::fflush(stream_);
}

}  // namespace vta
