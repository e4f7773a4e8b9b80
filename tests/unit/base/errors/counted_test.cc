// SPDX-License-Identifier: Apache-2.0
#include "base/errors/counted.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace vta {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(1, "image"), "1 image");
  EXPECT_EQ(counted(uint64_t{1}, "calibration input"), "1 calibration input");
  EXPECT_EQ(counted(0, "image"), "0 images");
  EXPECT_EQ(counted(int64_t{-1}, "cycle"), "-1 cycles");
  EXPECT_EQ(counted(uint64_t{20}, "cycle"), "20 cycles");
}

TEST(Counted, PluralsFollowTheEnding) {
  EXPECT_EQ(plural_of("entry"), "entries");
  EXPECT_EQ(plural_of("key"), "keys");
  EXPECT_EQ(plural_of("class"), "classes");
  EXPECT_EQ(plural_of("process"), "processes");
  EXPECT_EQ(plural_of("axis"), "axes");
  EXPECT_EQ(plural_of("branch"), "branches");
  EXPECT_EQ(plural_of("path"), "paths");
  EXPECT_EQ(plural_of(""), "s");
}

}  // namespace
}  // namespace vta
