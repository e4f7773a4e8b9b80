// SPDX-License-Identifier: Apache-2.0
#include "base/files/checksum.h"

#include <gtest/gtest.h>

#include <string>

namespace vta {
namespace {

TEST(Crc32, HasTheStandardsCheckValue) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32({reinterpret_cast<const uint8_t*>(text.data()), text.size()}), 0xcbf43926u);
  EXPECT_EQ(crc32({}), 0u);
}

}  // namespace
}  // namespace vta
