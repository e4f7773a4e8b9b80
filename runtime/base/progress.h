// SPDX-License-Identifier: Apache-2.0
//
// Progress: one line on a terminal that says how far a long piece of work has come. For tools only;
// libraries report through callbacks.
#ifndef VTA_RUNTIME_BASE_PROGRESS_H_
#define VTA_RUNTIME_BASE_PROGRESS_H_

#include <cstdio>
#include <string>

namespace vta {

class Progress {
 public:
  // Draws on `stream` where that is a terminal, else nothing.
  explicit Progress(std::FILE* stream);
  Progress(std::FILE* stream, bool visible) : stream_(stream), visible_(visible) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // "tiling: conv3  [#########...........]  45 %". `fraction` is clipped to [0, 1]. Cheap to call
  // often: the line is drawn again only where its text changes.
  void update(const std::string& what, double fraction);

  // Takes the line away, so that other output starts on an empty one.
  void clear();

 private:
  std::FILE* stream_;
  bool visible_;
  std::string line_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_PROGRESS_H_
