// SPDX-License-Identifier: Apache-2.0
//
// A progress line on a terminal, for tools only; libraries report progress through callbacks.
#ifndef VTA_BASE_COMMAND_LINE_PROGRESS_H_
#define VTA_BASE_COMMAND_LINE_PROGRESS_H_

#include <cstdio>
#include <functional>
#include <string>

namespace vta {

class Progress {
 public:
  using Clock = std::function<double()>;  // seconds

  // Draws on `stream` if it is a terminal, otherwise nothing.
  explicit Progress(std::FILE* stream);
  Progress(std::FILE* stream, bool visible);
  Progress(std::FILE* stream, bool visible, Clock clock);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // "tiling: conv3  [#########...........]  45 %". `fraction` is clipped to [0, 1]. After some
  // seconds of the same `what` the line ends with an estimate, "about 40 s left". It is redrawn
  // only when its text changes, so frequent calls are cheap.
  void update(const std::string& what, double fraction);

  // Erases the line before other output.
  void clear();

 private:
  std::string time_left(const std::string& what, double fraction);

  std::FILE* stream_;
  bool visible_;
  Clock clock_;
  std::string line_;
  std::string what_;                              // of the last update,
  double first_second_ = 0, first_fraction_ = 0;  // since when, and with what it began
};

}  // namespace vta

#endif  // VTA_BASE_COMMAND_LINE_PROGRESS_H_
