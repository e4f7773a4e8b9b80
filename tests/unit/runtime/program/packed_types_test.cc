// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/packed_types.h"

#include <gtest/gtest.h>

namespace vta {
namespace {

CoreConfig core(int64_t batch, int64_t in, int64_t out) {
  CoreConfig core;
  core.batch = batch;
  core.block_in = in;
  core.block_out = out;
  return core;
}

TEST(PackedTypes, AreThoseOfVtasDocuments) {
  const CoreConfig c = core(1, 16, 16);
  const TensorType image{DType::kInt8, {1, 64, 56, 56}}, weights{DType::kInt8, {64, 64, 3, 3}};
  EXPECT_EQ(packed_layout(Layout::kImages, c), "NCHW1n16c");
  EXPECT_EQ(to_string(packed_type(image, Layout::kImages, c)), "int8[1, 4, 56, 56, 1, 16]");
  EXPECT_EQ(packed_weight_layout(c), "OIHW16o16i");
  EXPECT_EQ(to_string(packed_weight_type(weights, c)), "int8[4, 4, 3, 3, 16, 16]");
  EXPECT_EQ(to_string(packed_channel_type({DType::kInt32, {64}}, c)), "int32[4, 1, 1, 1, 16]");
}

TEST(PackedTypes, RoundUpToWholeBlocks) {
  const CoreConfig c = core(2, 8, 8);
  EXPECT_EQ(to_string(packed_type({DType::kInt8, {3, 10}}, Layout::kImages, c)),
            "int8[1, 2, 2, 1, 2, 8]")
      << "rows are pixels";
  EXPECT_EQ(to_string(packed_weight_type({DType::kInt8, {10, 3}}, c)), "int8[2, 1, 1, 1, 8, 8]");
}

// Each packed type has the bytes that the arena reserves for it.
TEST(PackedTypes, HaveTheSizesOfTheArena) {
  const CoreConfig c = core(2, 8, 8);
  const TensorType matrices{DType::kInt8, {3, 17, 20}}, images{DType::kInt8, {3, 17, 4, 5}},
      rows{DType::kInt8, {17, 20}};
  for (const Layout layout : {Layout::kRows, Layout::kWeights}) {
    EXPECT_EQ(packed_type(matrices, layout, c).num_bytes(), packed_size_bytes(matrices, c, layout))
        << to_string(layout);
  }
  EXPECT_EQ(packed_type(images, Layout::kImages, c).num_bytes(), packed_size_bytes(images, c));
  EXPECT_EQ(packed_type(rows, Layout::kImages, c).num_bytes(), packed_size_bytes(rows, c));
}

TEST(PackedTypes, NameFusedOperators) {
  ProgramStep step;
  step.kind = ProgramStep::Kind::kCore;
  step.op = OpKind::kQConv2d;
  step.attrs.relu = true;
  step.inputs = {0, 1};
  step.pool.emplace();
  EXPECT_EQ(kernel_name(step), "qconv2d+qadd+relu+max_pool2d");
}

}  // namespace
}  // namespace vta
