// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"
#include "tests/unit/runtime/host/encoded_images.h"
#include "tools/run/open_camera.h"
#include "tools/run/v4l2_camera.h"

namespace vta::run {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes gray_jpeg(uint8_t value) { return test::encode_jpeg(Bytes(64, value), 8, 8, 1); }

// With an application segment that holds the markers of another image, as thumbnails do.
Bytes with_thumbnail(const Bytes& jpeg) {
  const Bytes segment = {0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 0xFF, 0xD9, 1, 2};
  Bytes bytes = jpeg;
  bytes.insert(bytes.begin() + 2, segment.begin(), segment.end());
  return bytes;
}

Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Bytes> frames_of(Camera& camera) {
  std::vector<Bytes> frames;
  while (const std::optional<Frame> frame = camera.next()) frames.push_back(frame->jpeg);
  return frames;
}

std::string error_of(const Bytes& stream) {
  const ScratchFolder folder;
  const std::string file = folder / "stream.mjpeg";
  write_file(file, stream);
  return error_in([&] { frames_of(*open_camera(file)); });
}

TEST(Camera, SplitsAStreamOfJpegImages) {
  const ScratchFolder folder;
  const std::vector<Bytes> images = {gray_jpeg(10), with_thumbnail(gray_jpeg(99)), gray_jpeg(255)};
  const std::string file = folder / "stream.mjpeg";
  write_file(file, joined(images));
  EXPECT_EQ(frames_of(*open_camera(file)), images);
}

TEST(Camera, ReadsAPipe) {
  const ScratchFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Bytes image = gray_jpeg(3);
  std::jthread writer([&] { write_file(pipe, joined({image, image})); });
  EXPECT_EQ(frames_of(*open_camera(pipe)), (std::vector<Bytes>{image, image}));
}

TEST(Camera, RefusesWhatIsNotAStreamOfImages) {
  const Bytes image = gray_jpeg(7);
  EXPECT_NE(error_of({}).find("no image"), std::string::npos);
  EXPECT_NE(error_of({'n', 'o'}).find("expected JPEG images"), std::string::npos);
  EXPECT_NE(error_of(joined({image, {0}})).find("expected JPEG images"), std::string::npos);
  EXPECT_NE(error_of({image.begin(), image.end() - 1}).find("ends within an image"),
            std::string::npos);
  EXPECT_THROW(open_camera("nothing.mjpeg"), Error);
}

TEST(Camera, RefusesADeviceThatIsNotACamera) {
  const Error error = expect_error([&] { open_camera("/dev/null"); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_STREQ(error.what(), "camera /dev/null: not a Video4Linux device");
}

// The corners of the limited range, and the primaries of BT.601 to within rounding.
TEST(Camera, ConvertsYuyv) {
  const Bytes black_white = {16, 128, 235, 128};
  EXPECT_EQ(rgb_of_yuyv(black_white, 2, 1, 4), (Bytes{0, 0, 0, 255, 255, 255}));
  struct Primary {
    Bytes yuv, rgb;
  };
  const Primary primaries[] = {
      {{81, 90, 240}, {255, 0, 0}}, {{145, 54, 34}, {0, 255, 0}}, {{41, 240, 110}, {0, 0, 255}}};
  for (const Primary& primary : primaries) {
    const Bytes& yuv = primary.yuv;
    const Bytes rgb = rgb_of_yuyv(Bytes{yuv[0], yuv[1], yuv[0], yuv[2]}, 2, 1, 4);
    for (size_t i = 0; i < rgb.size(); ++i) EXPECT_NEAR(rgb[i], primary.rgb[i % 3], 2) << i;
  }
}

TEST(Camera, SkipsThePaddingOfRows) {
  const Bytes rows = {16, 128, 16, 128, 9, 9, 235, 128, 235, 128, 9, 9};
  EXPECT_EQ(rgb_of_yuyv(rows, 2, 2, 6), (Bytes{0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255}));
}

}  // namespace
}  // namespace vta::run
