// SPDX-License-Identifier: Apache-2.0
#include "base/command_line/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/errors/printable.h"

namespace vta {
namespace {

constexpr int kBarWidth = 20;
constexpr const char* kEraseLine = "\r\x1b[K";

// An estimate from less is too far off to be of use.
constexpr double kMinSeconds = 3, kMinFraction = 0.02;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// In steps, so that the text is calm.
std::string duration_text(double seconds) {
  if (seconds < 57.5) return fmt::format("{:.0f} s", std::max(std::round(seconds / 5), 1.0) * 5);
  return fmt::format("{:.0f} min", std::round(seconds / 60));
}

}  // namespace

Progress::Progress(std::FILE* stream) : Progress(stream, ::isatty(::fileno(stream)) == 1) {}

Progress::Progress(std::FILE* stream, bool visible) : Progress(stream, visible, seconds_now) {}

Progress::Progress(std::FILE* stream, bool visible, Clock clock)
    : stream_(stream), visible_(visible), clock_(std::move(clock)) {}

// Empty while there is no estimate.
std::string Progress::time_left(const std::string& what, double fraction) {
  const double now = clock_();
  if (what != what_ || fraction < first_fraction_) {
    what_ = what;
    first_second_ = now;
    first_fraction_ = fraction;
  }
  const double seconds = now - first_second_, done = fraction - first_fraction_;
  if (seconds < kMinSeconds || done < kMinFraction || fraction >= 1) return "";
  return fmt::format(", about {} left", duration_text(seconds * (1 - fraction) / done));
}

void Progress::update(const std::string& what, double fraction) {
  if (!visible_) return;
  const double clipped = fraction > 0 ? std::min(fraction, 1.0) : 0;  // NaN counts as 0
  const int filled = static_cast<int>(clipped * kBarWidth);
  const std::string line =
      fmt::format("{}  [{:#<{}}{:.<{}}] {:3} %{}", printable(what), "", filled, "",
                  kBarWidth - filled, static_cast<int>(clipped * 100), time_left(what, clipped));
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
