// SPDX-License-Identifier: Apache-2.0
#include "driver/shared_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace vta::driver {
namespace {

constexpr size_t kMargin = 8, kMax = 40;

// Every alignment of both sides, every size from none to several words.
class SharedCopy : public testing::TestWithParam<size_t> {
 protected:
  SharedCopy() : shared(kMargin + kMax, 0xEE), bytes(kMax) {
    std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  }

  // The bytes of `shared` outside [offset, offset + size).
  void expect_untouched(size_t offset, size_t size) const {
    for (size_t i = 0; i < shared.size(); ++i) {
      if (i < offset || i >= offset + size) {
        EXPECT_EQ(shared[i], 0xEE) << i;
      }
    }
  }

  std::vector<uint8_t> shared;
  std::vector<uint8_t> bytes;
};

TEST_P(SharedCopy, CopiesThereAndBack) {
  for (size_t own = 0; own < 4; ++own) {
    for (size_t size = 0; size <= 20; ++size) {
      std::fill(shared.begin(), shared.end(), 0xEE);
      const std::span part = std::span(bytes).subspan(own, size);
      copy_to_shared(shared.data() + GetParam(), part);
      expect_untouched(GetParam(), size);
      std::vector<uint8_t> back(size + own);
      copy_from_shared(std::span(back).subspan(own), shared.data() + GetParam());
      EXPECT_TRUE(std::equal(part.begin(), part.end(), back.begin() + static_cast<long>(own)))
          << size << " bytes from " << own;
    }
  }
}

TEST_P(SharedCopy, ClearsNoMoreThanAsked) {
  for (size_t size = 0; size <= 20; ++size) {
    std::fill(shared.begin(), shared.end(), 0xEE);
    clear_shared(shared.data() + GetParam(), size);
    expect_untouched(GetParam(), size);
    for (size_t i = 0; i < size; ++i) EXPECT_EQ(shared[GetParam() + i], 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Alignments, SharedCopy, testing::Range(size_t{0}, size_t{8}));

}  // namespace
}  // namespace vta::driver
