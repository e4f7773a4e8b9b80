// SPDX-License-Identifier: Apache-2.0
#include "tools/run/jpeg_stream.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/errors/error.h"

namespace vta::run {
namespace {

constexpr size_t kMaxJpegBytes = size_t{64} << 20;

// Splits a stream at the markers that begin and end an image. Inside an image, 0xFF is followed by
// 0 or a marker; only thumbnails in application segments have an end of their own, so segments are
// skipped by their lengths.
class JpegStream : public Camera {
 public:
  explicit JpegStream(const std::string& path)
      : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (file_ == nullptr) fail(ErrorCode::kNotFound, "camera {}: {}", path, std::strerror(errno));
  }

  std::optional<Frame> next() override {
    Frame frame;
    jpeg_ = &frame.jpeg;
    int byte = std::getc(file_.get());
    if (byte == EOF && is_first_) fail(ErrorCode::kCorrupt, "camera {}: no image", path_);
    if (byte == EOF) return std::nullopt;
    is_first_ = false;
    jpeg_->push_back(static_cast<uint8_t>(byte));
    if (byte != 0xFF || get() != kStart) {
      fail(ErrorCode::kCorrupt, "camera {}: expected JPEG images one after another", path_);
    }
    for (uint8_t marker = next_marker(); marker != kEnd; marker = next_marker()) {
      const bool has_length =
          marker != 0 && marker != kTemporary && (marker < kRestart0 || marker > kStart);
      if (has_length) skip_segment();
    }
    return frame;
  }

 private:
  static constexpr uint8_t kTemporary = 0x01, kRestart0 = 0xD0, kStart = 0xD8, kEnd = 0xD9;

  uint8_t get() {
    const int byte = std::getc(file_.get());
    if (byte == EOF) fail(ErrorCode::kCorrupt, "camera {}: ends within an image", path_);
    if (jpeg_->size() == kMaxJpegBytes)
      fail(ErrorCode::kCorrupt, "camera {}: an image of more than {} bytes", path_, kMaxJpegBytes);
    jpeg_->push_back(static_cast<uint8_t>(byte));
    return static_cast<uint8_t>(byte);
  }

  uint8_t next_marker() {
    while (get() != 0xFF) {
    }
    uint8_t marker = get();
    while (marker == 0xFF) marker = get();  // fill bytes
    return marker;
  }

  void skip_segment() {
    const size_t high = get();
    const size_t length = high << 8 | get();  // with its own two bytes
    for (size_t i = 2; i < length; ++i) get();
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<uint8_t>* jpeg_ = nullptr;  // the current image
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<Camera> open_jpeg_stream(const std::string& path) {
  return std::make_unique<JpegStream>(path);
}

}  // namespace vta::run
