// SPDX-License-Identifier: Apache-2.0
#include "base/command_line/progress.h"

#include <gtest/gtest.h>

namespace vta {
namespace {

// What `write` writes to a stream.
template <typename Write>
std::string drawn(Write write) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* stream = ::open_memstream(&text, &size);
  write(stream);
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

// The output of `draw` to a stream that is a terminal or not.
template <typename Draw>
std::string drawn(bool visible, Draw draw) {
  return drawn([&](std::FILE* stream) {
    Progress progress(stream, visible);
    draw(progress);
  });
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

TEST(Progress, EstimatesTheTimeThatIsLeft) {
  double seconds = 100;
  const std::string text = drawn([&](std::FILE* stream) {
    Progress progress(stream, true, [&] { return seconds; });
    progress.update("quantize", 0.5);
    seconds += 10;
    progress.update("quantize", 0.6);  // a tenth in 10 s
    seconds += 10;
    progress.update("quantize", 0.9);
    progress.update("lower", 0.9);  // another one: no estimate yet
  });
  EXPECT_EQ(text,
            "\r\x1b[Kquantize  [##########..........]  50 %"
            "\r\x1b[Kquantize  [############........]  60 %, about 40 s left"
            "\r\x1b[Kquantize  [##################..]  90 %, about 5 s left"
            "\r\x1b[Klower  [##################..]  90 %\r\x1b[K");
}

TEST(Progress, EstimatesMinutes) {
  double seconds = 0;
  const std::string text = drawn([&](std::FILE* stream) {
    Progress progress(stream, true, [&] { return seconds; });
    progress.update("a", 0);
    seconds = 60;
    progress.update("a", 0.2);
  });
  EXPECT_NE(text.find("20 %, about 4 min left"), std::string::npos) << text;
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
