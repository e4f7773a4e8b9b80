// SPDX-License-Identifier: Apache-2.0
#include "base/errors/printable.h"

#include <gtest/gtest.h>

namespace vta {
namespace {

TEST(Printable, ReplacesControlCharactersOnly) {
  EXPECT_EQ(printable("conv1\tcat, \"dog\"\n"), "conv1\tcat, \"dog\"\n");
  EXPECT_EQ(printable("Käse 图 €"), "Käse 图 €");
  EXPECT_EQ(printable("a\x1b[2Jb\rc\bd\x7f"), "a?[2Jb?c?d?");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a?b");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "2Jb\xc2\x85\xc2\x80"),
            "a?2Jb??");
  EXPECT_EQ(printable("\xc2\xa0 \xc3\x9f \xc2"), "\xc2\xa0 \xc3\x9f \xc2");
}

}  // namespace
}  // namespace vta
