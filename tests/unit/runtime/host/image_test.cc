// SPDX-License-Identifier: Apache-2.0
//
// read_image() and decode_image() with every kind of image and of damage.
#include "runtime/host/image.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "runtime/host/orientation.h"
#include "tests/support/error_in.h"
#include "tests/unit/runtime/host/encoded_images.h"

namespace vta {
namespace {

using host::decode_image;
using host::Image;
using test::encode_bmp;
using test::encode_jpeg;
using test::encode_webp;
using test::exif_with_orientation;
using test::PngBuilder;
using test::with_exif;
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
  return error_in([&] { decode_image(bytes, "image"); }, expected);
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

// Pillow gives the same: 255 - ink, times 255 - black.
TEST(ReadImage, ConvertsCmykJpegToRgb) {
  Bytes inverse_cmyk;
  for (int i = 0; i < 16 * 16; ++i) inverse_cmyk.insert(inverse_cmyk.end(), {250, 100, 50, 200});
  const Image image = decode_image(encode_jpeg(inverse_cmyk, 16, 16, 4), "image");
  ASSERT_EQ(image.rgb.size(), 16u * 16 * 3);
  for (size_t i = 0; i < image.rgb.size(); i += 3) {
    ASSERT_NEAR(image.rgb[i], 196, 3);
    ASSERT_NEAR(image.rgb[i + 1], 78, 3);
    ASSERT_NEAR(image.rgb[i + 2], 39, 3);
  }
}

TEST(ReadImage, DecodesWebpExactly) {
  const Image image = decode_image(encode_webp(gradient(40, 30), 40, 30), "image");
  EXPECT_EQ(image.width, 40);
  EXPECT_EQ(image.height, 30);
  EXPECT_EQ(image.rgb, gradient(40, 30));
}

TEST(ReadImage, DecodesBmpOfAnyDepth) {
  const auto rgb = [](const Bytes& bmp) { return decode_image(bmp, "image").rgb; };
  EXPECT_EQ(rgb(encode_bmp(2, 2, 24, {3, 2, 1, 6, 5, 4, 0, 0, 9, 8, 7, 12, 11, 10, 0, 0})),
            (Bytes{7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6}))
      << "rows from the bottom to the top";
  EXPECT_EQ(rgb(encode_bmp(1, -2, 24, {3, 2, 1, 0, 6, 5, 4, 0})), (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(rgb(encode_bmp(1, 1, 32, {3, 2, 1, 99})), (Bytes{1, 2, 3}));
  EXPECT_EQ(rgb(encode_bmp(2, 1, 16, {0x1f, 0x7c, 0xe0, 0x03})), (Bytes{255, 0, 255, 0, 255, 0}));
  const Bytes palette = {30, 20, 10, 0, 60, 50, 40, 0};
  EXPECT_EQ(rgb(encode_bmp(3, 1, 1, {0x40, 0, 0, 0}, palette)),
            (Bytes{10, 20, 30, 40, 50, 60, 10, 20, 30}));
  EXPECT_EQ(rgb(encode_bmp(3, 1, 4, {0x01, 0x10, 0, 0}, palette)),
            (Bytes{10, 20, 30, 40, 50, 60, 40, 50, 60}));
  EXPECT_EQ(rgb(encode_bmp(2, 1, 8, {1, 0, 0, 0}, palette)), (Bytes{40, 50, 60, 10, 20, 30}));
}

TEST(ReadImage, RefusesWrongBmp) {
  EXPECT_EQ(
      message(encode_bmp(2, 1, 8, {2, 0, 0, 0}, {1, 2, 3, 0, 4, 5, 6, 0}), ErrorCode::kCorrupt),
      "image: BMP: color 2 of 2");
  EXPECT_EQ(message(encode_bmp(8000, 8000, 24, {0}), ErrorCode::kCorrupt),
            "image: BMP: truncated: 192000000 bytes at byte 54 of 55");
  EXPECT_EQ(message(encode_bmp(1, 1, 2, {0, 0, 0, 0}), ErrorCode::kUnsupported),
            "image: BMP: 2 bits per pixel");
  Bytes compressed = encode_bmp(1, 1, 8, {0, 0, 0, 0});
  compressed[30] = 1;
  EXPECT_EQ(message(compressed, ErrorCode::kUnsupported),
            "image: BMP: compression 1 of 8 bits per pixel");
}

// A 2 x 1 image, dark and light; where its left pixel is after each orientation.
TEST(ReadImage, TurnsWhatCamerasStoreUpright) {
  Bytes dark_and_light(16 * 8 * 3, 10);
  for (size_t i = 0; i < dark_and_light.size(); ++i) {
    if (i / 3 % 16 >= 8) dark_and_light[i] = 240;
  }
  struct Case {
    uint8_t orientation;
    bool upright_is_high;
    bool dark_is_first;  // left or top
  };
  const Case cases[] = {{1, false, true}, {2, false, false}, {3, false, false}, {4, false, true},
                        {5, true, true},  {6, true, true},   {7, true, false},  {8, true, false},
                        {0, false, true}, {9, false, true}};
  for (const Case& one : cases) {
    for (const bool big_endian : {false, true}) {
      const Bytes exif = exif_with_orientation(one.orientation, big_endian);
      for (const Bytes& file :
           {with_exif(encode_jpeg(dark_and_light, 16, 8, 3), exif),
            PngBuilder().header(16, 8, 8, 2).chunk("eXIf", exif).pixels(dark_and_light, 8).finish(),
            with_exif(encode_webp(dark_and_light, 16, 8), exif)}) {
        const Image image = decode_image(file, "image");
        EXPECT_EQ(image.width, one.upright_is_high ? 8 : 16) << int{one.orientation};
        EXPECT_EQ(image.height, one.upright_is_high ? 16 : 8) << int{one.orientation};
        EXPECT_EQ(image.rgb.front() < 128, one.dark_is_first) << int{one.orientation};
        EXPECT_EQ(image.rgb.back() < 128, !one.dark_is_first) << int{one.orientation};
      }
    }
  }
}

TEST(Orientation, KeepsEveryPixel) {
  const Image stored{2, 3, {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6}};
  const auto first_of = [&](int orientation) {
    const Image image = host::upright(stored, orientation);
    Bytes pixels;
    for (size_t i = 0; i < image.rgb.size(); i += 3) pixels.push_back(image.rgb[i]);
    return pixels;
  };
  EXPECT_EQ(first_of(1), (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(first_of(2), (Bytes{2, 1, 4, 3, 6, 5}));
  EXPECT_EQ(first_of(3), (Bytes{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(first_of(4), (Bytes{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(first_of(5), (Bytes{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(first_of(6), (Bytes{5, 3, 1, 6, 4, 2}));
  EXPECT_EQ(first_of(7), (Bytes{6, 4, 2, 5, 3, 1}));
  EXPECT_EQ(first_of(8), (Bytes{2, 4, 6, 1, 3, 5}));
}

TEST(Orientation, OfDamagedExifIsAsStored) {
  const Bytes exif = exif_with_orientation(6, true);
  EXPECT_EQ(host::exif_orientation(exif), 6);
  for (size_t size = 0; size < 32; ++size)  // the value ends at byte 32
    EXPECT_EQ(host::exif_orientation(std::span(exif).first(size)), 1) << size;
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Bytes damaged = exif;
    damaged[static_cast<size_t>(random.between(0, static_cast<int64_t>(exif.size()) - 1))] =
        static_cast<uint8_t>(random.between(0, 255));
    const int orientation = host::exif_orientation(damaged);
    EXPECT_TRUE(orientation >= 1 && orientation <= 8);
  }
}

TEST(DamagedImage, EveryTruncationOfAWebpOrABmpIsAnError) {
  for (const Bytes& file :
       {encode_webp(gradient(40, 30), 40, 30),
        encode_bmp(2, 2, 24, {3, 2, 1, 6, 5, 4, 0, 0, 9, 8, 7, 12, 11, 10, 0, 0})}) {
    for (size_t size = 12; size < file.size(); ++size)
      EXPECT_THROW(decode_image(std::span(file).first(size), "image"), Error) << size;
  }
}

TEST(DamagedImage, AWebpOrABmpWithChangedBytesIsAnImageOrAnError) {
  Random random(2);
  for (const Bytes& file : {encode_webp(gradient(40, 30), 40, 30),
                            encode_bmp(3, 1, 4, {0x01, 0x10, 0, 0}, {1, 2, 3, 0, 4, 5, 6, 0})}) {
    for (int i = 0; i < 2000; ++i) {
      Bytes damaged = file;
      damaged[static_cast<size_t>(random.between(0, static_cast<int64_t>(file.size()) - 1))] =
          static_cast<uint8_t>(random.between(0, 255));
      try {
        const Image image = decode_image(damaged, "image");
        EXPECT_EQ(image.rgb.size(), static_cast<size_t>(3 * image.width * image.height));
      } catch (const Error&) {
      }
    }
  }
}

TEST(ReadImage, RejectsUnsupportedFormats) {
  EXPECT_EQ(message({'G', 'I', 'F', '8'}, ErrorCode::kUnsupported),
            "image: not a JPEG, PNG, WebP or BMP image");
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
  const Error error = expect_error([&] { host::read_image("no/such/image.png"); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_NE(std::string(error.what()).find("no/such/image.png"), std::string::npos);
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
