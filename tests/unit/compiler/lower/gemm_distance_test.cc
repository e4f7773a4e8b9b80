// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/gemm_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/numbers/random.h"

namespace vta::lower {
namespace {

using Product = std::tuple<uint32_t, uint32_t, uint32_t>;  // dst, src, wgt

// The products of a GEMM in order.
std::vector<Product> products_of(const GemmKernel& kernel) {
  std::vector<Product> products;
  const isa::Instruction& loops = kernel.loops;
  for (uint32_t i = 0; i < loops.iter_out; ++i) {
    for (uint32_t j = 0; j < loops.iter_in; ++j) {
      for (const isa::Uop& uop : kernel.uops) {
        products.push_back({uop.dst + i * loops.dst_factor_out + j * loops.dst_factor_in,
                            uop.src + i * loops.src_factor_out + j * loops.src_factor_in,
                            uop.wgt + i * loops.wgt_factor_out + j * loops.wgt_factor_in});
      }
    }
  }
  return products;
}

// The least distance of two products of one GEMM with the same dst, at most that of its number of
// dsts.
int64_t distance_of(const GemmKernel& kernel) {
  std::map<uint32_t, int64_t> last;
  int64_t least = INT64_MAX, position = 0;
  for (const Product& product : products_of(kernel)) {
    const auto [found, is_new] = last.try_emplace(std::get<0>(product), position);
    if (!is_new) least = std::min(least, position - std::exchange(found->second, position));
    ++position;
  }
  return least;
}

// A convolution's kernel: `blocks` output blocks of `taps` products each, rows x columns pixels.
GemmKernel kernel_of(uint32_t blocks, uint32_t taps, uint32_t rows, uint32_t columns) {
  GemmKernel kernel;
  isa::Instruction& loops = kernel.loops;
  loops.opcode = isa::kGemm;
  loops.iter_out = rows;
  loops.iter_in = columns;
  loops.dst_factor_out = rows > 1 ? columns : 0;
  loops.src_factor_out = rows > 1 ? columns + 2 : 0;
  loops.dst_factor_in = loops.src_factor_in = columns > 1 ? 1 : 0;
  for (uint32_t block = 0; block < blocks; ++block) {
    for (uint32_t tap = 0; tap < taps; ++tap)
      kernel.uops.push_back({block * rows * columns, tap, block * taps + tap});
  }
  return kernel;
}

void expect_separated(const GemmKernel& kernel, int64_t distance, int64_t max_uops) {
  std::vector<Product> all, expected = products_of(kernel);
  std::set<uint32_t> accumulators;
  for (const Product& product : expected) accumulators.insert(std::get<0>(product));
  for (const GemmKernel& part : separated(kernel, distance, max_uops)) {
    EXPECT_LE(static_cast<int64_t>(part.uops.size()), max_uops);
    EXPECT_GE(distance_of(part), std::min<int64_t>(distance, std::ssize(accumulators)));
    const auto products = products_of(part);
    all.insert(all.end(), products.begin(), products.end());
  }
  std::ranges::sort(all);
  std::ranges::sort(expected);
  EXPECT_EQ(all, expected) << "the same products";
}

TEST(GemmDistance, AlternatesTheBlocksOfAKernel) {
  const GemmKernel kernel = kernel_of(4, 9, 14, 14);
  const auto parts = separated(kernel, 3, 8192);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].uops.size(), 36u) << "nothing is unrolled";
  EXPECT_EQ(distance_of(kernel), 1);
  EXPECT_EQ(distance_of(parts[0]), 4);
}

TEST(GemmDistance, UnrollsPixelsOfAKernelWithFewBlocks) {
  const auto of_two = separated(kernel_of(2, 9, 14, 14), 3, 8192);
  ASSERT_EQ(of_two.size(), 1u);
  EXPECT_EQ(of_two[0].uops.size(), 36u) << "two pixels of two blocks";
  const auto of_one = separated(kernel_of(1, 9, 7, 7), 3, 8192);
  ASSERT_EQ(of_one.size(), 1u);
  EXPECT_EQ(of_one[0].uops.size(), 63u) << "seven pixels";
}

TEST(GemmDistance, CutsLoopsThatItWouldUnrollTooFar) {
  const auto parts = separated(kernel_of(1, 9, 1, 13), 3, 8192);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].uops.size(), 27u) << "9 pixels, 3 at a time";
  EXPECT_EQ(parts[1].uops.size(), 36u) << "4 pixels";
}

TEST(GemmDistance, KeepsTheProductsOfRandomKernels) {
  const uint64_t seed = 5;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const auto draw = [&](int64_t most) { return static_cast<uint32_t>(random.between(1, most)); };
  for (int i = 0; i < 300; ++i) {
    const GemmKernel kernel = kernel_of(draw(5), draw(9), draw(9), draw(23));
    SCOPED_TRACE(fmt::format("{} uops, {} x {}", kernel.uops.size(), kernel.loops.iter_out,
                             kernel.loops.iter_in));
    expect_separated(kernel, 3, 8192);
    expect_separated(kernel, 3, 16);
    expect_separated(kernel, draw(6), 8192);
  }
}

// Groups of channels have different numbers of products.
TEST(GemmDistance, CountsTheAccumulatorsThatAreLeftAtTheEnd) {
  GemmKernel kernel = kernel_of(4, 2, 3, 3);
  kernel.uops.push_back({0, 40, 40});
  kernel.uops.push_back({0, 41, 41});
  expect_separated(kernel, 3, 8192);
}

}  // namespace
}  // namespace vta::lower
