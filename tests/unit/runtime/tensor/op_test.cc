// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/op.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "runtime/tensor/op_kinds.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

std::string error_of(OpKind kind, const std::string& text) {
  return error_in([&] { attrs_from_string(kind, text); }, ErrorCode::kInvalidArgument);
}

TEST(OpKind, IsFoundByItsName) {
  for (OpKind kind : kOpKinds) {
    EXPECT_EQ(op_kind_from_string(to_string(kind)), kind);
    EXPECT_LE(min_inputs(kind), max_inputs(kind));
  }
}

TEST(OpKind, RefusesAnUnknownName) {
  const Error error = expect_error([&] { op_kind_from_string("conv3d"); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_STREQ(error.what(), "operator 'conv3d' is not known");
}

TEST(OpAttrs, ShowOnlyWhatDiffersFromTheDefaults) {
  OpAttrs attrs;
  EXPECT_EQ(to_string(OpKind::kConv2d, attrs), "");
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  attrs.hi = 127;  // not an attribute of conv2d
  EXPECT_EQ(to_string(OpKind::kConv2d, attrs), "{kernel = [3, 3], pad = [1, 1, 1, 1]}");
}

OpAttrs random_attrs(Random& random) {
  OpAttrs attrs;
  attrs.kernel = {random.between(1, 9), random.between(1, 9)};
  attrs.stride = {random.between(1, 3), random.between(1, 3)};
  attrs.pad = {random.between(0, 3), random.between(0, 3), random.between(0, 3), 0};
  attrs.dilation = {random.between(1, 3), 1};
  attrs.groups = random.between(1, 64);
  attrs.ceil_mode = random.chance(50);
  attrs.count_include_pad = random.chance(50);
  attrs.output_pad = {random.between(0, 3), random.between(0, 3)};
  attrs.out = {random.between(1, 99), random.between(1, 99)};
  attrs.scale = {random.unit() * 9, random.unit()};
  attrs.pad_mode = static_cast<PadMode>(random.between(0, 2));
  attrs.resize_mode = static_cast<ResizeMode>(random.between(0, 2));
  attrs.coordinates = static_cast<Coordinates>(random.between(0, 4));
  attrs.rounding = static_cast<Rounding>(random.between(0, 3));
  attrs.function = static_cast<UnaryFunction>(random.between(0, 9));
  attrs.operation = static_cast<BinaryFunction>(random.between(0, 9));
  attrs.reduction = static_cast<Reduction>(random.between(0, 9));
  attrs.format = static_cast<Format>(random.between(0, 9));
  for (auto* flag : {&attrs.relu, &attrs.keep_dims, &attrs.select_last, &attrs.crd,
                     &attrs.exclude_outside, &attrs.smallest, &attrs.exclusive, &attrs.reverse}) {
    *flag = random.chance(50);
  }
  for (auto* number : {&attrs.alpha, &attrs.beta, &attrs.bias, &attrs.pad_value, &attrs.cubic_a}) {
    *number = random.normal();
  }
  attrs.epsilon = random.unit();
  attrs.divisor = random.unit() * 1e9;
  attrs.lo = random.normal();
  attrs.hi = random.normal() * 1e-20;
  for (auto* list : {&attrs.begin, &attrs.end, &attrs.step, &attrs.before, &attrs.after,
                     &attrs.axes, &attrs.shape, &attrs.perm, &attrs.repeats}) {
    for (int64_t i = random.between(0, 4); i > 0; --i) list->push_back(random.between(-9, 9));
  }
  for (auto* value : {&attrs.frac_bits, &attrs.shift, &attrs.shift_a, &attrs.shift_b, &attrs.index,
                      &attrs.size, &attrs.axis, &attrs.block, &attrs.batch_axes}) {
    *value = random.between(-64, 64);
  }
  return attrs;
}

TEST(OpAttrs, ShowChoicesAsWords) {
  OpAttrs attrs;
  attrs.out = {4, 6};
  attrs.scale = {2, 1.5};
  attrs.resize_mode = ResizeMode::kLinear;
  attrs.coordinates = Coordinates::kAlignCorners;
  EXPECT_EQ(to_string(OpKind::kResize2d, attrs),
            "{out = [4, 6], scale = [2, 1.5], resize_mode = linear, coordinates = align_corners}");
  EXPECT_EQ(error_of(OpKind::kPad, "{pad_mode = wrap}"),
            "pad: attribute 'pad_mode': expected one of constant, reflect, edge at '}'");
  EXPECT_EQ(choice_from_string<Rounding>("ceil"), Rounding::kCeil);
  EXPECT_THROW(choice_from_string<PadMode>("wrap"), Error);
}

TEST(OpAttrs, ComeBackFromTheirText) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const OpAttrs attrs = random_attrs(random);
    for (OpKind kind : kOpKinds) {
      const std::string text = to_string(kind, attrs);
      EXPECT_EQ(to_string(kind, attrs_from_string(kind, text)), text);
    }
  }
}

TEST(OpAttrs, RefuseWhatTheOperatorDoesNotHave) {
  EXPECT_EQ(error_of(OpKind::kRelu, "{kernel = [3, 3]}"),
            "relu has no attribute 'kernel'; it has: none");
  EXPECT_EQ(error_of(OpKind::kClip, "{low = 1}"), "clip has no attribute 'low'; it has: lo, hi");
}

template <typename Attributes>
concept HasKernel = requires(Attributes attrs) { attrs.kernel; };

TEST(OpAttrs, AnOperatorsStructHasThoseOfItsLineOnly) {
  EXPECT_TRUE(HasKernel<Attrs<OpKind::kConv2d>>);
  EXPECT_FALSE(HasKernel<Attrs<OpKind::kSoftmax>>);
  EXPECT_TRUE((std::is_same_v<Attrs<OpKind::kSoftmax>, Attrs<OpKind::kConcat>>));
  EXPECT_LT(sizeof(Attrs<OpKind::kSoftmax>), sizeof(OpAttrs));
}

TEST(OpAttrs, AreMadeOfSome) {
  const Attrs<OpKind::kClip> clip(attr::hi{6});
  EXPECT_EQ(clip.lo, 0);
  EXPECT_EQ(clip.hi, 6);
  EXPECT_FALSE((std::is_constructible_v<Attrs<OpKind::kClip>, attr::axis>));
}

TEST(OpAttrs, ConvertToThoseOfAnotherOperatorThatHasMoreOrFewer) {
  const Attrs<OpKind::kConv2d> conv(attr::kernel{{3, 5}}, attr::groups{4});
  const WindowAttrs window = conv;
  EXPECT_EQ(window.kernel, conv.kernel);
  const Attrs<OpKind::kQConv2d> integer = conv;
  EXPECT_EQ(integer.groups, 4);
  EXPECT_EQ(integer.shift, 0);
  EXPECT_EQ(Attrs<OpKind::kConv2d>(OpAttrs(conv)), conv);
  EXPECT_FALSE((std::is_convertible_v<Attrs<OpKind::kClip>, WindowAttrs>));
}

TEST(OpAttrs, OfAnOperatorHaveTheDefaultsOfThoseThatItDoesNotHave) {
  const OpAttrs attrs(attr::axis{2}, attr::epsilon{1});
  EXPECT_EQ(attrs_for(OpKind::kSoftmax, attrs), OpAttrs(attr::axis{2}));
  EXPECT_EQ(attrs_for(OpKind::kRelu, attrs), OpAttrs());
}

TEST(OpAttrs, RefuseMalformedText) {
  EXPECT_EQ(error_of(OpKind::kConv2d, "{kernel = [3]}"),
            "conv2d: attribute 'kernel': expected two integers at '}'");
  for (const char* text :
       {"{", "}", "{kernel}", "{kernel = }", "{kernel = 3}", "{kernel = [3, 3}", "{kernel = [3, 3]",
        "{kernel = [3, 3]} x", "{kernel = [3, 3], }", "{kernel = [3, 3], kernel = [3, 3]}",
        "{kernel = [3.5, 3]}", "{kernel = [99999999999999999999, 3]}", "{groups = true}",
        "{pad = [1, 1]}", "{groups = 1 2}", "kernel = [3, 3]"}) {
    EXPECT_NE(error_of(OpKind::kConv2d, text), "") << text;
  }
  EXPECT_NE(error_of(OpKind::kAvgPool2d, "{ceil_mode = 1}"), "");
  EXPECT_NE(error_of(OpKind::kClip, "{lo = nan}"), "");
  EXPECT_NE(error_of(OpKind::kClip, "{lo = 1e999}"), "");
  EXPECT_NE(error_of(OpKind::kPad, "{before = [1, 2, 3, 4, 5, 6, 7, 8, 9]}"), "");
}

}  // namespace
}  // namespace vta
