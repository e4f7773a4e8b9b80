// SPDX-License-Identifier: Apache-2.0
//
// read_image() and decode_image() with every kind of image and of damage.
#include "runtime/host/image.h"

#include <gtest/gtest.h>

#include <functional>

#include "runtime/base/error.h"
#include "runtime/base/random.h"
#include "tests/unit/runtime/host/encoded_images.h"

namespace vta {
namespace {

using host::decode_image;
using host::Image;
using test::encode_jpeg;
using test::PngBuilder;
using Bytes = std::vector<uint8_t>;

Bytes gradient(uint32_t width, uint32_t height) {
  Bytes rgb;
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      rgb.insert(rgb.end(), {static_cast<uint8_t>(4 * x), static_cast<uint8_t>(4 * y),
                             static_cast<uint8_t>(128)});
    }
  }
  return rgb;
}

Bytes rgb_png() { return PngBuilder().header(40, 30, 8, 2).pixels(gradient(40, 30), 30).finish(); }

// The error of decoding; "" if it succeeds.
std::string message(const Bytes& bytes, ErrorCode expected) {
  try {
    decode_image(bytes, "image");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), expected) << error.what();
    return error.what();
  }
  return "";
}

TEST(ReadImage, DecodesRgbPngExactly) {
  const Image image = decode_image(rgb_png(), "image");
  EXPECT_EQ(image.width, 40);
  EXPECT_EQ(image.height, 30);
  EXPECT_EQ(image.rgb, gradient(40, 30));
}

TEST(EncodePng, GivesTheImageBack) {
  host::Image image{5, 3, {}};
  for (int i = 0; i < 45; ++i) image.rgb.push_back(static_cast<uint8_t>(i * 37));
  const host::Image decoded = host::decode_image(host::encode_png(image), "encoded");
  EXPECT_EQ(decoded.width, 5);
  EXPECT_EQ(decoded.height, 3);
  EXPECT_EQ(decoded.rgb, image.rgb);
}

TEST(ReadImage, ConvertsEveryKindOfPngToRgb) {
  const auto rgb = [](PngBuilder builder) { return decode_image(builder.finish(), "image").rgb; };
  EXPECT_EQ(rgb(PngBuilder().header(2, 1, 8, 0).pixels({7, 200}, 1)),
            (Bytes{7, 7, 7, 200, 200, 200}));
  EXPECT_EQ(rgb(PngBuilder().header(2, 1, 1, 0).pixels({0x40}, 1)),
            (Bytes{0, 0, 0, 255, 255, 255}));
  EXPECT_EQ(rgb(PngBuilder().header(2, 1, 8, 4).pixels({7, 0, 9, 255}, 1)),
            (Bytes{7, 7, 7, 9, 9, 9}));
  EXPECT_EQ(rgb(PngBuilder().header(1, 1, 8, 6).pixels({1, 2, 3, 128}, 1)), (Bytes{1, 2, 3}));
  EXPECT_EQ(rgb(PngBuilder().header(1, 1, 16, 2).pixels({9, 9, 20, 20, 200, 200}, 1)),
            (Bytes{9, 20, 200}));
  EXPECT_EQ(
      rgb(PngBuilder().header(2, 1, 8, 3).chunk("PLTE", {1, 2, 3, 4, 5, 6}).pixels({1, 0}, 1)),
      (Bytes{4, 5, 6, 1, 2, 3}));
}

TEST(ReadImage, DecodesJpegClosely) {
  for (bool progressive : {false, true}) {
    const Bytes expected = gradient(40, 30);
    const Image image = decode_image(encode_jpeg(expected, 40, 30, 3, progressive), "image");
    ASSERT_EQ(image.rgb.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(image.rgb[i], expected[i], 12) << i;
  }
}

TEST(ReadImage, DecodesGrayJpeg) {
  const Image image = decode_image(encode_jpeg(Bytes(16 * 16, 77), 16, 16, 1), "image");
  for (uint8_t value : image.rgb) ASSERT_NEAR(value, 77, 1);
}

TEST(ReadImage, RejectsUnsupportedFormats) {
  EXPECT_EQ(message(encode_jpeg(Bytes(16 * 16 * 4, 9), 16, 16, 4), ErrorCode::kUnsupported),
            "image: JPEG: CMYK is not supported; convert the image to RGB");
  EXPECT_EQ(message({'G', 'I', 'F', '8'}, ErrorCode::kUnsupported),
            "image: neither a JPEG nor a PNG image");
  EXPECT_NE(message({}, ErrorCode::kUnsupported), "");
}

TEST(ReadImage, RefusesHugeImagesBeforeAllocatingThem) {
  const Bytes png = PngBuilder().header(100000, 100000, 8, 2).chunk("IDAT", {}).finish();
  EXPECT_EQ(message(png, ErrorCode::kUnsupported),
            "image: 100000 x 100000 pixels, at most 67108864 are supported");
}

TEST(ReadImage, RejectsSizesThatTheFileCannotHold) {
  const Bytes png = PngBuilder().header(8000, 8000, 8, 2).chunk("IDAT", Bytes(100)).finish();
  EXPECT_EQ(message(png, ErrorCode::kCorrupt),
            "image: PNG: 100 compressed bytes are too few for 8000 x 8000 pixels");
}

TEST(ReadImage, ReportsAMissingFile) {
  try {
    host::read_image("no/such/image.png");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_NE(std::string(error.what()).find("no/such/image.png"), std::string::npos);
  }
}

TEST(DamagedImage, EveryTruncationOfAPngIsAnError) {
  const Bytes png = rgb_png();
  for (size_t size = 8; size < png.size(); ++size) {
    ASSERT_NE(message(Bytes(png.begin(), png.begin() + size), ErrorCode::kCorrupt), "") << size;
  }
}

TEST(DamagedImage, EveryTruncationOfAJpegIsAnError) {
  for (bool progressive : {false, true}) {
    const Bytes jpeg = encode_jpeg(gradient(40, 30), 40, 30, 3, progressive);
    for (size_t size = 3; size < jpeg.size(); ++size) {
      ASSERT_NE(message(Bytes(jpeg.begin(), jpeg.begin() + size), ErrorCode::kCorrupt), "") << size;
    }
  }
}

TEST(DamagedImage, EveryChangedByteOfAPngIsAnError) {
  const Bytes png = rgb_png();
  for (size_t i = 8; i < png.size(); ++i) {
    Bytes damaged = png;
    damaged[i] ^= 0x10;
    ASSERT_NE(message(damaged, ErrorCode::kCorrupt), "") << i;
  }
}

TEST(DamagedImage, AJpegWithChangedBytesIsAnImageOrAnError) {
  constexpr uint64_t kSeed = 5;
  Random random(kSeed);
  const Bytes jpeg = encode_jpeg(gradient(40, 30), 40, 30, 3);
  int errors = 0;
  for (int i = 0; i < 500; ++i) {
    Bytes damaged = jpeg;
    for (int64_t j = random.between(1, 4); j > 0; --j) {
      damaged[static_cast<size_t>(random.between(3, static_cast<int64_t>(jpeg.size()) - 1))] =
          static_cast<uint8_t>(random.between(0, 255));
    }
    try {
      decode_image(damaged, "image");
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 50) << "seed " << kSeed;
}

TEST(DamagedImage, APngWithWrongChunksIsAnImageOrAnError) {
  constexpr uint64_t kSeed = 6;
  Random random(kSeed);
  const auto random_bytes = [&](int64_t most) {
    Bytes bytes(static_cast<size_t>(random.between(0, most)));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.between(0, 255));
    return bytes;
  };
  const std::vector<std::string> kTypes = {"PLTE", "tRNS", "gAMA", "sBIT", "iCCP", "IDAT", "IHDR"};
  for (int i = 0; i < 500; ++i) {
    PngBuilder builder;
    builder.header(static_cast<uint32_t>(random.between(0, 60)),
                   static_cast<uint32_t>(random.between(0, 40)), 1 << random.between(0, 5),
                   static_cast<int>(random.between(0, 7)));
    for (int64_t j = random.between(0, 3); j > 0; --j) {
      builder.chunk(kTypes[static_cast<size_t>(random.between(0, 6))], random_bytes(30));
    }
    const Bytes png = builder.pixels(gradient(40, 30), 30).finish();
    try {
      decode_image(png, "image");
    } catch (const Error& error) {
      ASSERT_TRUE(error.code() == ErrorCode::kCorrupt || error.code() == ErrorCode::kUnsupported)
          << "seed " << kSeed << ", case " << i << ": " << error.what();
    }
  }
}

TEST(DamagedImage, APngWithTooFewRowsIsAnError) {
  const Bytes png = PngBuilder().header(40, 31, 8, 2).pixels(gradient(40, 30), 30).finish();
  EXPECT_NE(message(png, ErrorCode::kCorrupt), "");
}

}  // namespace
}  // namespace vta
