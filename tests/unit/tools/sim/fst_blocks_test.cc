// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/fst_blocks.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"

namespace vta::sim {
namespace {

std::string block(char type, uint64_t content_bytes) {
  std::string text(1, type);
  for (int shift = 56; shift >= 0; shift -= 8)
    text += static_cast<char>((content_bytes + 8) >> shift);
  return text + std::string(content_bytes, 'x');
}

TEST(FstBlocks, AreCompleteWithSignalsAndHierarchyUpToTheEnd) {
  const ScratchFolder folder;
  const std::string file = folder / "a.fst";
  const auto is_complete = [&](const std::string& bytes) {
    write_file(file, bytes);
    return is_complete_fst(file);
  };
  const std::string values = block(0, 321) + block(8, 1000), ends = block(3, 300) + block(6, 70);
  const std::string whole = values + ends;
  EXPECT_TRUE(is_complete(whole));
  for (size_t size = 0; size < whole.size(); ++size)
    ASSERT_FALSE(is_complete(whole.substr(0, size))) << size;
  EXPECT_FALSE(is_complete(whole + "x"));
  EXPECT_FALSE(is_complete(values + block(3, 300)));
  // A block whose length has not been written.
  EXPECT_FALSE(is_complete(block(0, 321) + std::string(1, 8) + std::string(8, 0) + ends));
  EXPECT_FALSE(is_complete_fst(file + ".missing"));
}

}  // namespace
}  // namespace vta::sim
