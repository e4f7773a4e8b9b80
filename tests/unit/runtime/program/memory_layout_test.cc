// SPDX-License-Identifier: Apache-2.0
//
// Packed tensors and the constant image of an arena.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "runtime/program/arena_image.h"
#include "runtime/program/program.h"

namespace vta {
namespace {

CoreConfig core_of(uint32_t batch, uint32_t block) {
  CoreConfig core;
  core.batch = batch;
  core.block_in = core.block_out = block;
  return core;
}

TEST(Packing, PutsImagesAndChannelsOfABlockIntoOneElement) {
  const CoreConfig core = core_of(2, 4);
  Tensor tensor(TensorType{DType::kInt8, {3, 5, 1, 2}});
  const auto values = tensor.mutable_data<int8_t>();
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int8_t>(i + 1);
  std::vector<uint8_t> packed(packed_size_bytes(tensor.type(), core), 0xff);
  ASSERT_EQ(packed.size(),
            2u * 2 * 2 * 8);  // image groups, channel blocks, pixels, bytes of an element
  pack(tensor, core, packed);
  const auto at = [&](int n, int c, int x) {
    return packed[(((n / 2) * 2 + c / 4) * 2 + x) * 8 + (n % 2) * 4 + c % 4];
  };
  for (int n = 0; n < 3; ++n) {
    for (int c = 0; c < 5; ++c) {
      for (int x = 0; x < 2; ++x)
        EXPECT_EQ(at(n, c, x), values[(n * 5 + c) * 2 + x]) << n << " " << c << " " << x;
    }
  }
  EXPECT_EQ(at(3, 0, 0), 0) << "missing images are zeros";
  EXPECT_EQ(at(0, 5, 0), 0) << "missing channels are zeros";
}

Tensor counting(std::vector<int64_t> shape) {
  Tensor tensor(TensorType{DType::kInt8, std::move(shape)});
  int8_t next = 1;
  for (int8_t& value : tensor.mutable_data<int8_t>()) value = next++;
  return tensor;
}

// Batch 2, so that two rows are an element.
TEST(Packing, PutsRowsOfMatricesWherePixelsAre) {
  const CoreConfig core = core_of(2, 4);
  const Tensor tensor = counting({2, 3, 5});
  std::vector<uint8_t> packed(packed_size_bytes(tensor.type(), core, Layout::kRows), 0xff);
  ASSERT_EQ(packed.size(), 2u * 2 * 2 * 8);  // matrices, column blocks, pairs of rows, bytes
  pack(tensor, core, packed, Layout::kRows);
  const auto at = [&](int matrix, int row, int column) {
    return packed[((matrix * 2 + column / 4) * 2 + row / 2) * 8 + row % 2 * 4 + column % 4];
  };
  for (int i = 0; i < 30; ++i) EXPECT_EQ(at(i / 15, i / 5 % 3, i % 5), i + 1) << i;
  EXPECT_EQ(at(0, 3, 0), 0) << "missing rows are zeros";
  EXPECT_EQ(at(1, 2, 5), 0) << "missing columns are zeros";
}

TEST(Packing, PutsTheRowsOfAMatrixWherePixelsAre) {
  const CoreConfig core = core_of(2, 4);
  const Tensor tensor = counting({5, 7});
  std::vector<uint8_t> images(packed_size_bytes(tensor.type(), core));
  std::vector<uint8_t> rows(packed_size_bytes(tensor.type(), core, Layout::kRows));
  pack(tensor, core, images);
  pack(tensor, core, rows, Layout::kRows);
  EXPECT_EQ(images, rows);
}

TEST(Packing, PutsSecondOperandsOfMatrixProductsWhereWeightsAre) {
  const CoreConfig core = core_of(2, 4);
  const Tensor tensor = counting({2, 5, 3});
  std::vector<uint8_t> packed(packed_size_bytes(tensor.type(), core, Layout::kWeights), 0xff);
  ASSERT_EQ(packed.size(), 2u * 1 * 2 * 16);  // matrices, column blocks, row blocks, bytes
  pack(tensor, core, packed, Layout::kWeights);
  const auto at = [&](int matrix, int row, int column) {
    return packed[(matrix * 2 + row / 4) * 16 + column * 4 + row % 4];
  };
  for (int i = 0; i < 30; ++i) EXPECT_EQ(at(i / 15, i / 3 % 5, i % 3), i + 1) << i;
  EXPECT_EQ(at(0, 0, 3), 0) << "missing columns are zeros";
  EXPECT_EQ(at(1, 5, 0), 0) << "missing rows are zeros";
}

TEST(Packing, UnpackInvertsPackOfMatrices) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const CoreConfig core = core_of(1u << random.between(0, 2), 1u << random.between(2, 5));
    const Tensor tensor =
        counting({random.between(1, 3), random.between(1, 40), random.between(1, 40)});
    for (Layout layout : {Layout::kRows, Layout::kWeights}) {
      std::vector<uint8_t> packed(packed_size_bytes(tensor.type(), core, layout));
      pack(tensor, core, packed, layout);
      EXPECT_TRUE(
          std::ranges::equal(unpack(packed, tensor.type(), core, layout).bytes(), tensor.bytes()));
    }
  }
}

TEST(Packing, UnpackInvertsPack) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const CoreConfig core = core_of(1u << random.between(0, 2), 1u << random.between(2, 5));
    std::vector<int64_t> shape = {random.between(1, 5), random.between(1, 40)};
    if (random.chance(70)) shape.insert(shape.end(), {random.between(1, 6), random.between(1, 6)});
    Tensor tensor(TensorType{DType::kInt8, shape});
    for (int8_t& value : tensor.mutable_data<int8_t>())
      value = static_cast<int8_t>(random.between(-128, 127));
    std::vector<uint8_t> packed(packed_size_bytes(tensor.type(), core));
    pack(tensor, core, packed);
    EXPECT_TRUE(std::ranges::equal(unpack(packed, tensor.type(), core).bytes(), tensor.bytes()));
  }
}

TEST(ArenaImage, AlignsAndStoresEqualWordsOnce) {
  ArenaImage image;
  const std::vector<uint8_t> three = {1, 2, 3};
  EXPECT_EQ(image.append(three, 16), 0u);
  EXPECT_EQ(image.append(three, 16), 16u);
  EXPECT_EQ(image.append_once({7, 8}), 24u);
  EXPECT_EQ(image.append_once({7}), 32u);
  EXPECT_EQ(image.append_once({7, 8}), 24u);
  EXPECT_EQ(image.bytes().size(), 36u);
  EXPECT_EQ(image.bytes()[28], 8u);
}

TEST(ArenaImage, SharesEqualContents) {
  ArenaImage image;
  const auto append = [&](std::vector<uint8_t> bytes) {
    const auto space = image.reserve(bytes.size(), 16);
    std::ranges::copy(bytes, space.bytes.begin());
    return image.share(space);
  };
  EXPECT_EQ(append({1, 2, 3}), 0u);
  EXPECT_EQ(append({1, 2, 3, 4}), 16u);
  EXPECT_EQ(append({1, 2, 3}), 0u);
  EXPECT_EQ(append({1, 2, 3, 5}), 32u);
  EXPECT_EQ(append({1, 2, 3, 4}), 16u);
  EXPECT_EQ(image.bytes().size(), 48u) << "and the alignment of the last one";
  EXPECT_EQ(image.bytes()[3], 0u);
}

}  // namespace
}  // namespace vta
