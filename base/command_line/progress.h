// SPDX-License-Identifier: Apache-2.0
//
// A progress line on a terminal, for tools only; libraries report progress through callbacks.
#ifndef VTA_BASE_COMMAND_LINE_PROGRESS_H_
#define VTA_BASE_COMMAND_LINE_PROGRESS_H_

#include <cstdio>
#include <string>

namespace vta {

class Progress {
 public:
  // Draws on `stream` if it is a terminal, otherwise nothing.
  explicit Progress(std::FILE* stream);
  Progress(std::FILE* stream, bool visible) : stream_(stream), visible_(visible) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // "tiling: conv3  [#########...........]  45 %". `fraction` is clipped to [0, 1]. The line is
  // redrawn only when its text changes, so frequent calls are cheap.
  void update(const std::string& what, double fraction);

  // Erases the line before other output.
  void clear();

 private:
  std::FILE* stream_;
  bool visible_;
  std::string line_;
};

}  // namespace vta

#endif  // VTA_BASE_COMMAND_LINE_PROGRESS_H_
