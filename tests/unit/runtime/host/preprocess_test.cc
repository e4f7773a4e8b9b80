// SPDX-License-Identifier: Apache-2.0
//
// resize() and preprocess() against values computed by hand.
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "runtime/host/image.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

using host::Image;
using host::preprocess;

Image gray_image(int64_t width, int64_t height, const std::vector<int>& values) {
  Image image{width, height, {}};
  for (int value : values) image.rgb.insert(image.rgb.end(), 3, static_cast<uint8_t>(value));
  return image;
}

std::vector<int> gray_values(const Image& image) {
  std::vector<int> values;
  for (size_t i = 0; i < image.rgb.size(); i += 3) {
    EXPECT_EQ(image.rgb[i], image.rgb[i + 1]);
    EXPECT_EQ(image.rgb[i], image.rgb[i + 2]);
    values.push_back(image.rgb[i]);
  }
  return values;
}

TEST(Resize, ShrinkingAveragesUnderAStretchedTriangle) {
  // Output 0 is centred at input 1.0 with support 2: weights .75, .75, .25 of inputs 0, 1, 2
  // over 1.75.
  const Image image = gray_image(4, 1, {0, 100, 200, 40});
  EXPECT_EQ(gray_values(host::resize(image, 2, 1)), (std::vector<int>{71, 117}));
  const Image column = gray_image(1, 4, {0, 100, 200, 40});
  EXPECT_EQ(gray_values(host::resize(column, 1, 2)), (std::vector<int>{71, 117}));
}

TEST(Resize, GrowingInterpolatesBetweenPixelCentres) {
  EXPECT_EQ(gray_values(host::resize(gray_image(2, 1, {0, 100}), 4, 1)),
            (std::vector<int>{0, 25, 75, 100}));
}

TEST(Resize, KeepsAConstantImage) {
  for (int value : {0, 1, 127, 255}) {
    const Image image = gray_image(13, 7, std::vector<int>(13 * 7, value));
    EXPECT_EQ(gray_values(host::resize(image, 5, 6)), std::vector<int>(5 * 6, value));
    EXPECT_EQ(gray_values(host::resize(image, 29, 15)), std::vector<int>(29 * 15, value));
  }
}

TEST(Resize, RoundsToEightBitsAfterEachAxis) {
  // Rows first: (0, 1) -> 0.5 -> 1 and (0, 0) -> 0; then columns: (1, 0) -> 0.5 -> 1. A single
  // step would give 0.25.
  EXPECT_EQ(gray_values(host::resize(gray_image(2, 2, {0, 1, 0, 0}), 1, 1)), (std::vector<int>{1}));
}

TEST(Resize, BicubicOvershootsAtEdges) {
  // Keys' cubic (a = -0.5) at the distances .25, .75, 1.25: 0.8672, 0.2266, -0.0703. Taps
  // beyond the border are omitted: output 3 is 100 * 0.8672 / (0.8672 - 0.0703).
  EXPECT_EQ(gray_values(host::resize(gray_image(2, 1, {0, 100}), 4, 1, host::Filter::kBicubic)),
            (std::vector<int>{0, 21, 79, 109}));
  const Image edge = gray_image(8, 1, {100, 100, 100, 100, 200, 200, 200, 200});
  EXPECT_EQ(gray_values(host::resize(edge, 16, 1, host::Filter::kBicubic)),
            (std::vector<int>{100, 100, 100, 100, 100, 98, 93, 120, 180, 207, 202, 200, 200, 200,
                              200, 200}));
}

TEST(Resize, NearestTakesThePixelUnderTheCentre) {
  const Image image = gray_image(4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(gray_values(host::resize(image, 2, 1, host::Filter::kNearest)),
            (std::vector<int>{6, 8}));
  EXPECT_EQ(gray_values(host::resize(gray_image(2, 1, {1, 2}), 5, 1, host::Filter::kNearest)),
            (std::vector<int>{1, 1, 2, 2, 2}));
}

TEST(Resize, RefusesSizesOutOfRange) {
  const Image image = gray_image(2, 1, {0, 100});
  EXPECT_THROW(host::resize(image, 0, 1), Error);
  EXPECT_THROW(host::resize(image, int64_t{1} << 40, int64_t{1} << 40), Error);
}

std::vector<float> values_of(const Tensor& tensor) {
  return {tensor.data<float>().begin(), tensor.data<float>().end()};
}

TEST(Preprocess, ScalesAndNormalizesEachChannel) {
  const Image image{1, 1, {10, 20, 30}};
  ImageSpec spec;
  spec.scale = 0.5;
  spec.mean = {1, 2, 3};
  spec.stddev = {1, 2, 4};
  const Tensor rgb = preprocess(image, spec, {1, 3, 1, 1});
  EXPECT_EQ(rgb.shape(), (std::vector<int64_t>{1, 3, 1, 1}));
  EXPECT_EQ(values_of(rgb), (std::vector<float>{4, 4, 3}));
  spec.channels = "bgr";
  EXPECT_EQ(values_of(preprocess(image, spec, {1, 3, 1, 1})), (std::vector<float>{14, 4, 0.5}));
}

TEST(Preprocess, MakesLumaForGrayNetworks) {
  ImageSpec spec;
  spec.channels = "gray";
  const Image image{3, 1, {255, 0, 0, 0, 255, 0, 255, 255, 255}};
  EXPECT_EQ(values_of(preprocess(image, spec, {1, 1, 1, 3})), (std::vector<float>{76, 150, 255}));
}

TEST(Preprocess, ResizesTheShortSideAndCropsTheCentre) {
  const Image image = gray_image(6, 2, {0, 0, 50, 50, 0, 0, 0, 0, 50, 50, 0, 0});
  ImageSpec spec;
  spec.channels = "gray";
  spec.resize_short_side = 2;
  EXPECT_EQ(values_of(preprocess(image, spec, {1, 1, 2, 2})), (std::vector<float>{50, 50, 50, 50}));
  spec.resize_short_side = 1;
  EXPECT_EQ(preprocess(image, spec, {1, 1, 1, 3}).shape(), (std::vector<int64_t>{1, 1, 1, 3}));
}

TEST(Preprocess, StretchesToTheInputWithoutAShortSide) {
  ImageSpec spec;
  spec.channels = "gray";
  const Image image = gray_image(4, 1, {0, 100, 200, 40});
  EXPECT_EQ(values_of(preprocess(image, spec, {1, 1, 1, 2})), (std::vector<float>{71, 117}));
}

TEST(Preprocess, ResizesToASizeAndCropsTheCentre) {
  ImageSpec spec;
  spec.channels = "gray";
  spec.resize = {2, 4};
  const Image image = gray_image(4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(values_of(preprocess(image, spec, {1, 1, 2, 2})), (std::vector<float>{2, 3, 6, 7}));
}

TEST(Preprocess, LetterboxKeepsTheShapeAndFillsTheRest) {
  ImageSpec spec;
  spec.channels = "gray";
  spec.letterbox = 9;
  EXPECT_EQ(values_of(preprocess(gray_image(2, 1, {1, 2}), spec, {1, 1, 2, 2})),
            (std::vector<float>{1, 2, 9, 9}));
  EXPECT_EQ(values_of(preprocess(gray_image(1, 3, {1, 2, 3}), spec, {1, 1, 3, 3})),
            (std::vector<float>{9, 1, 9, 9, 2, 9, 9, 3, 9}));
}

TEST(Preprocess, UsesTheFilterOfTheSpec) {
  ImageSpec spec;
  spec.channels = "gray";
  spec.filter = "nearest";
  EXPECT_EQ(values_of(preprocess(gray_image(2, 1, {0, 100}), spec, {1, 1, 1, 4})),
            (std::vector<float>{0, 0, 100, 100}));
}

// The position in the input of a point of the image.
std::pair<double, double> placed(const host::Placement& placement, double x, double y) {
  return {x * placement.scale_x + placement.left, y * placement.scale_y + placement.top};
}

TEST(Placement, IsThePositionOfTheImageInTheInput) {
  ImageSpec spec;
  EXPECT_EQ(placed(host::placement(20, 40, spec, 10, 10), 20, 40), std::pair(10.0, 10.0));
  spec.resize_short_side = 10;  // 10 x 20, cropped to rows 5 to 14
  EXPECT_EQ(placed(host::placement(20, 40, spec, 10, 10), 0, 0), std::pair(0.0, -5.0));
  EXPECT_EQ(placed(host::placement(20, 40, spec, 10, 10), 20, 40), std::pair(10.0, 15.0));
  spec.resize_short_side = 0;
  spec.letterbox = 0;  // 5 x 10, two columns to the left and three to the right
  EXPECT_EQ(placed(host::placement(20, 40, spec, 10, 10), 0, 0), std::pair(2.0, 0.0));
  EXPECT_EQ(placed(host::placement(20, 40, spec, 10, 10), 20, 40), std::pair(7.0, 10.0));
}

TEST(Preprocess, RejectsInvalidSpecs) {
  const Image image = gray_image(4, 4, std::vector<int>(16, 1));
  const auto refuses = [&](auto change, int64_t channels, int64_t size,
                           const std::string& message) {
    ImageSpec spec;
    change(spec);
    const Error error = expect_error([&] { preprocess(image, spec, {1, channels, size, size}); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(error.what(), message);
  };
  const auto nothing = [](ImageSpec&) {};
  refuses(nothing, 1, 2, "channels 'rgb' gives 3 planes, the network's input has 1");
  refuses([](ImageSpec& s) { s.channels = "hsv"; }, 3, 2,
          "channels 'hsv' is not one of rgb, bgr, gray");
  refuses([](ImageSpec& s) { s.mean = {1}; }, 3, 2,
          "mean has 1 and stddev 0 numbers for 3 channels");
  refuses([](ImageSpec& s) { s.stddev = {1, 0, 1}; }, 3, 2, "stddev has a 0");
  refuses([](ImageSpec& s) { s.resize_short_side = -1; }, 3, 2,
          "resize_short_side -1 is outside 0 to 65536");
  refuses([](ImageSpec& s) { s.resize = {0, 4}; }, 3, 2, "resize [0, 4] is outside 1 to 65536");
  refuses([](ImageSpec& s) { s.letterbox = 256; }, 3, 2, "letterbox 256 is outside 0 to 255");
  refuses([](ImageSpec& s) { s.filter = "lanczos"; }, 3, 2,
          "filter 'lanczos' is not one of bilinear, bicubic, nearest");
  refuses(
      [](ImageSpec& s) {
        s.letterbox = 1;
        s.resize_short_side = 4;
      },
      3, 2, "resize_short_side, resize and letterbox exclude each other");
  refuses([](ImageSpec& s) { s.resize_short_side = 3; }, 3, 4,
          "the network's input of 4 x 4 pixels is larger than the image resized to 3 x 3");
}

TEST(Preprocess, PutsChannelsLastIfTheInputHasThemThere) {
  ImageSpec spec;
  spec.layout = "nhwc";
  const Image image{2, 1, {1, 2, 3, 4, 5, 6}};
  const Tensor input = preprocess(image, spec, {1, 1, 2, 3});
  EXPECT_EQ(input.shape(), (std::vector<int64_t>{1, 1, 2, 3}));
  EXPECT_EQ(values_of(input), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace vta
