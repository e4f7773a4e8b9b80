// SPDX-License-Identifier: Apache-2.0
//
// Data movement against results computed by hand; the same for every element type.
#include <gtest/gtest.h>

#include "tests/unit/runtime/host/plain.h"

namespace vta {
namespace {

using test::bytes;
using test::counted;
using test::floats;
using test::run;
using test::values;
using Bytes = std::vector<int8_t>;

TEST(Slice, GoesForwardAndBackward) {
  const Tensor x = counted<int8_t>({2, 5});
  EXPECT_EQ(values<int8_t>(
                run(OpKind::kStridedSlice, "{begin = [0, 1], end = [2, 5], step = [1, 3]}", {x})),
            (Bytes{1, 4, 6, 9}));
  EXPECT_EQ(values<int8_t>(run(OpKind::kStridedSlice,
                               "{begin = [1, 4], end = [-1, -1], step = [-1, -2]}", {x})),
            (Bytes{9, 7, 5, 4, 2, 0}));
}

TEST(Pad, FillsWithAValue) {
  const Tensor x({1, 2, 2}, std::vector<float>{1, 2, 3, 4});
  test::expect_near(run(OpKind::kPad, "{before = [0, 1, 0], after = [0, 1, 1]}", {x}),
                    {0, 0, 0, 1, 2, 0, 3, 4, 0, 0, 0, 0});
  EXPECT_EQ(values<int8_t>(run(OpKind::kPad, "{before = [1], after = [2], pad_value = -128}",
                               {bytes({1}, {5})})),
            (Bytes{-128, 5, -128, -128}));
  EXPECT_EQ(values<int32_t>(run(OpKind::kPad, "{before = [1], after = [0], pad_value = 70000}",
                                {counted<int32_t>({2})})),
            (std::vector<int32_t>{70000, 0, 1}));
}

TEST(Pad, MirrorsOrRepeatsTheEdge) {
  const Tensor x = counted<int8_t>({2, 3});
  EXPECT_EQ(values<int8_t>(
                run(OpKind::kPad, "{before = [1, 2], after = [0, 1], pad_mode = reflect}", {x})),
            (Bytes{5, 4, 3, 4, 5, 4, 2, 1, 0, 1, 2, 1, 5, 4, 3, 4, 5, 4}));
  EXPECT_EQ(
      values<int8_t>(run(OpKind::kPad, "{before = [1, 2], after = [0, 1], pad_mode = edge}", {x})),
      (Bytes{0, 0, 0, 1, 2, 2, 0, 0, 0, 1, 2, 2, 3, 3, 3, 4, 5, 5}));
}

TEST(Transpose, MovesAxes) {
  const Tensor y = run(OpKind::kTranspose, "{perm = [2, 0, 1]}", {counted<int8_t>({2, 3, 2})});
  EXPECT_EQ(y.shape(), (std::vector<int64_t>{2, 2, 3}));
  EXPECT_EQ(values<int8_t>(y), (Bytes{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}));
  test::expect_near(run(OpKind::kTranspose, "{perm = [1, 0]}", {counted<float>({2, 2})}),
                    {0, 2, 1, 3});
}

TEST(Concat, JoinsOperandsAlongAnAxis) {
  const Tensor a = counted<int8_t>({2, 1, 2}),
               b = bytes({2, 2, 2}, {10, 11, 12, 13, 20, 21, 22, 23});
  EXPECT_EQ(values<int8_t>(run(OpKind::kConcat, "{axis = 1}", {a, b})),
            (Bytes{0, 1, 10, 11, 12, 13, 2, 3, 20, 21, 22, 23}));
  EXPECT_EQ(values<int8_t>(run(OpKind::kConcat, "{axis = -1}", {a, a})),
            (Bytes{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(values<int8_t>(run(OpKind::kConcat, "{axis = 0}", {a})), (Bytes{0, 1, 2, 3}));
}

TEST(Reshape, KeepsTheOrderOfElements) {
  const Tensor y = run(OpKind::kReshape, "{shape = [3, 1, 2]}", {counted<int8_t>({2, 3})});
  EXPECT_EQ(y.shape(), (std::vector<int64_t>{3, 1, 2}));
  EXPECT_EQ(values<int8_t>(y), (Bytes{0, 1, 2, 3, 4, 5}));
}

TEST(DepthToSpace, TurnsChannelsIntoPixels) {
  const Tensor x = counted<int8_t>({1, 8, 1, 2});
  // Channels 0, 2, 4 and 6 become blocks of the first channel that comes out; with crd 0 to 3 do.
  EXPECT_EQ(values<int8_t>(run(OpKind::kDepthToSpace, "{block = 2}", {x})),
            (Bytes{0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15}));
  EXPECT_EQ(values<int8_t>(run(OpKind::kDepthToSpace, "{block = 2, crd = true}", {x})),
            (Bytes{0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15}));
}

TEST(Unfold2d, TurnsWindowsIntoChannels) {
  const Tensor x = counted<int8_t>({1, 2, 2, 3});  // channels 0 to 5 and 6 to 11
  const Tensor y =
      run(OpKind::kUnfold2d, "{kernel = [1, 2], stride = [2, 1], pad = [1, 0, 0, 1]}", {x});
  EXPECT_EQ(y.shape(), (std::vector<int64_t>{1, 4, 2, 3}));
  EXPECT_EQ(values<int8_t>(y),
            (Bytes{0, 0, 0, 3, 4, 5, 0, 0, 0, 9, 10, 11, 0, 0, 0, 4, 5, 0, 0, 0, 0, 10, 11, 0}));
  const Tensor dilated = run(OpKind::kUnfold2d, "{kernel = [2, 2], dilation = [1, 2]}", {x});
  EXPECT_EQ(values<int8_t>(dilated), (Bytes{0, 6, 2, 8, 3, 9, 5, 11}));
}

TEST(Unfold2d, QuantizesRealNumbers) {
  const Tensor x = counted<float>({1, 1, 2, 2});
  EXPECT_EQ(values<int8_t>(run(OpKind::kUnfold2d, "{kernel = [2, 1], frac_bits = 6}", {x})),
            (Bytes{0, 64, 127, 127}));
}

}  // namespace
}  // namespace vta
