// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/preprocessing.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "tests/support/error_in.h"

namespace vta::import {
namespace {

const TensorType kInput{DType::kFloat32, {1, 3, 224, 224}};

ImageSpec spec_of(const PreprocessOptions& options, const TensorType& type = kInput) {
  return image_spec_of(options, std::nullopt, type);
}

std::string error_of(const PreprocessOptions& options, const TensorType& type = kInput) {
  return error_in([&] { spec_of(options, type); }, ErrorCode::kInvalidArgument);
}

TEST(Preprocessing, KnowsTheUsualOnes) {
  const ImageSpec none = spec_of({.preset = "none"});
  EXPECT_EQ(none.scale, 1);
  EXPECT_EQ(none.mean, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(none.stddev, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(none.channels, "rgb");
  EXPECT_EQ(spec_of({.preset = "0-1"}).scale, 1.0 / 255);
  const ImageSpec symmetric = spec_of({.preset = "-1-1"});
  EXPECT_EQ((0 * symmetric.scale - symmetric.mean[0]) / symmetric.stddev[0], -1);
  EXPECT_EQ((255 * symmetric.scale - symmetric.mean[0]) / symmetric.stddev[0], 1);
  const ImageSpec imagenet = spec_of({.preset = "imagenet"});
  EXPECT_EQ(imagenet.scale, 1.0 / 255);
  EXPECT_EQ(imagenet.mean, (std::vector<double>{0.485, 0.456, 0.406}));
  EXPECT_EQ(imagenet.stddev, (std::vector<double>{0.229, 0.224, 0.225}));
  EXPECT_EQ(imagenet.resize_short_side, 256);
  const TensorType larger{DType::kFloat32, {1, 3, 299, 299}};
  EXPECT_EQ(spec_of({.preset = "imagenet"}, larger).resize_short_side, 342);
}

TEST(Preprocessing, ReplacesWhatIsGiven) {
  const ImageSpec spec = spec_of({.preset = "imagenet",
                                  .mean = "0.5",
                                  .stddev = "0.1,0.2,0.3",
                                  .scale = "1/127.5",
                                  .channels = "bgr",
                                  .resize = "letterbox"});
  EXPECT_EQ(spec.mean, (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(spec.stddev, (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(spec.scale, 1 / 127.5);
  EXPECT_EQ(spec.channels, "bgr");
  EXPECT_EQ(spec.letterbox, 114);
  EXPECT_EQ(spec.resize_short_side, 0);
  ImageSpec own;
  own.scale = 2;
  own.mean = own.stddev = {1, 2, 3};
  const ImageSpec changed = image_spec_of({.stddev = "4"}, own, kInput);
  EXPECT_EQ(changed.scale, 2) << "the network's own";
  EXPECT_EQ(changed.stddev, (std::vector<double>{4, 4, 4}));
}

TEST(Preprocessing, FitsImagesAsItIsTold) {
  EXPECT_EQ(spec_of({.resize = "256"}).resize_short_side, 256);
  EXPECT_EQ(spec_of({.resize = "256x300"}).resize, (std::array<int64_t, 2>{256, 300}));
  EXPECT_EQ(spec_of({.resize = "letterbox:0"}).letterbox, 0);
  const ImageSpec stretched = spec_of({.preset = "imagenet", .resize = "stretch"});
  EXPECT_EQ(stretched.resize_short_side, 0);
  EXPECT_EQ(stretched.resize, (std::array<int64_t, 2>{0, 0}));
}

TEST(Preprocessing, SeesWhereTheChannelsAre) {
  const TensorType last{DType::kFloat32, {1, 32, 48, 3}}, gray{DType::kFloat32, {1, 1, 28, 28}};
  EXPECT_EQ(spec_of({.preset = "0-1"}, last).layout, "nhwc");
  EXPECT_EQ(spec_of({.preset = "0-1"}).layout, "nchw");
  EXPECT_EQ(spec_of({.preset = "0-1"}, gray).channels, "gray");
  EXPECT_NE(error_of({.layout = "nchw"}, last).find("as nchw it has 32 channels, expected 1 or 3"),
            std::string::npos);
}

TEST(Preprocessing, NamesTheOptionThatIsWrong) {
  EXPECT_EQ(error_of({.scale = "1/0"}),
            "--scale: expected a number or a fraction such as 1/255, not 0, got '1/0'");
  EXPECT_EQ(error_of({.mean = "1,2"}),
            "--mean: expected one number or 3, one per channel, got '1,2'");
  EXPECT_NE(error_of({.stddev = "a"}).find("--std: expected numbers"), std::string::npos);
  EXPECT_NE(error_of({.stddev = "0"}).find("stddev has a 0"), std::string::npos);
  EXPECT_NE(error_of({.resize = "big"}).find("--resize"), std::string::npos);
  EXPECT_NE(error_of({.resize = "letterbox:300"}).find("from 0 to 255"), std::string::npos);
  EXPECT_NE(error_of({.preset = "imagenet"}, {DType::kFloat32, {1, 1, 8, 8}})
                .find("the input has 1 channel, expected 3"),
            std::string::npos);
  EXPECT_NE(error_of({.preset = "0-1"}, {DType::kFloat32, {1, 8}}).find("four axes"),
            std::string::npos);
}

}  // namespace
}  // namespace vta::import
