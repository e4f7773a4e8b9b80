// SPDX-License-Identifier: Apache-2.0
#include "base/limits/memory_limit.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "base/errors/nearest.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

TEST(MemoryLimit, ReadsSizes) {
  EXPECT_EQ(parse_memory_size("4096"), 4096u);
  EXPECT_EQ(parse_memory_size("512M"), uint64_t{512} << 20);
  EXPECT_EQ(parse_memory_size("2G"), uint64_t{2} << 30);
  for (const char* wrong : {"", "G", "0", "1.5G", "2GB", "-1", "18446744073709551615K"})
    EXPECT_THROW(parse_memory_size(wrong), Error) << wrong;
}

TEST(MemoryLimit, ChargesUpToTheLimitAndGivesBack) {
  const uint64_t usual = memory_limit_bytes(), before = memory_in_use_bytes();
  set_memory_limit_bytes(before + 1000);
  charge_memory("a", 600);
  EXPECT_EQ(memory_in_use_bytes(), before + 600);
  const Error error = expect_error([&] { charge_memory("the tensor b", 500); });
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  EXPECT_EQ(std::string(error.what()),
            fmt::format("the tensor b needs 500 bytes; {} are in use, and the limit is {} "
                        "(--memory-limit)",
                        before + 600, before + 1000));
  EXPECT_THROW(check_memory("c", UINT64_MAX), Error);
  charge_memory("d", 400);
  release_memory(1000);
  EXPECT_EQ(memory_in_use_bytes(), before);
  set_memory_limit_bytes(usual);
}

TEST(DidYouMean, TakesTheNearestNameIfItIsNear) {
  const std::vector<std::string> names = {"--input", "--in-flight", "--input-size", "--json"};
  EXPECT_EQ(did_you_mean("--inptu", names), " (did you mean '--input'?)");
  EXPECT_EQ(did_you_mean("--inputsize", names), " (did you mean '--input-size'?)");
  EXPECT_EQ(did_you_mean("--quantize", names), "");
  EXPECT_EQ(did_you_mean("", {}), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 'x'), names), "");
}

}  // namespace
}  // namespace vta
