// SPDX-License-Identifier: Apache-2.0
#include "base/command_line/progress.h"

#include <gtest/gtest.h>

namespace vta {
namespace {

// The output of `draw` to a stream that is a terminal or not.
template <typename Draw>
std::string drawn(bool visible, Draw draw) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* stream = ::open_memstream(&text, &size);
  {
    Progress progress(stream, visible);
    draw(progress);
  }
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

TEST(Progress, DrawsABarAndTakesItAwayAtTheEnd) {
  EXPECT_EQ(drawn(true, [](Progress& p) { p.update("tiling: conv3", 0.45); }),
            "\r\x1b[Ktiling: conv3  [#########...........]  45 %\r\x1b[K");
}

TEST(Progress, WritesNothingWithoutATerminal) {
  EXPECT_EQ(drawn(false, [](Progress& p) { p.update("tiling", 0.5); }), "");
}

TEST(Progress, DrawsAgainOnlyWhatChanged) {
  EXPECT_EQ(drawn(true, [](Progress& p) { p.update("a", 0.1); }), drawn(true, [](Progress& p) {
              p.update("a", 0.1);
              p.update("a", 0.1001);
            }));
}

TEST(Progress, ClipsFractions) {
  EXPECT_EQ(drawn(true, [](Progress& p) { p.update("a", 7); }),
            "\r\x1b[Ka  [####################] 100 %\r\x1b[K");
  EXPECT_EQ(drawn(true, [](Progress& p) { p.update("a", -1); }),
            "\r\x1b[Ka  [....................]   0 %\r\x1b[K");
}

TEST(Progress, DetectsThatAFileIsNotATerminal) {
  std::FILE* file = std::tmpfile();
  {
    Progress progress(file);
    progress.update("tiling", 0.5);
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace vta
