// SPDX-License-Identifier: Apache-2.0
//
// Capture by Video4Linux 2: streaming from buffers that the driver allocates and this process maps.
#include "tools/run/v4l2_camera.h"

#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "base/errors/counted.h"
#include "base/errors/error.h"

namespace vta::run {
namespace {

constexpr uint32_t kWidth = 640, kHeight = 480, kNumBuffers = 4;
constexpr int kMaxFrameMs = 5000;

uint8_t clipped(int32_t value) { return static_cast<uint8_t>(std::clamp(value, 0, 255)); }

class V4l2Camera : public Camera {
 public:
  explicit V4l2Camera(const std::string& path)
      : path_(path), device_(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)) {
    if (device_ < 0) fail_with(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "open");
    try {
      check_capabilities();
      choose_format();
      map_buffers();
      int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
      call(VIDIOC_STREAMON, &type, "VIDIOC_STREAMON");
    } catch (...) {
      release();
      throw;
    }
  }
  ~V4l2Camera() override { release(); }
  V4l2Camera(const V4l2Camera&) = delete;
  V4l2Camera& operator=(const V4l2Camera&) = delete;

  std::optional<Frame> next() override {
    while (true) {
      wait();
      std::optional<v4l2_buffer> newest = dequeue();
      if (!newest) continue;
      while (const auto newer = dequeue()) {
        enqueue(*newest);
        newest = newer;
      }
      const bool is_damaged = (newest->flags & V4L2_BUF_FLAG_ERROR) != 0;
      Frame frame;
      if (!is_damaged) frame = frame_of(buffers_[newest->index].first(newest->bytesused));
      enqueue(*newest);
      if (!is_damaged) return frame;
    }
  }

 private:
  [[noreturn]] void fail_with(ErrorCode code, const char* what) const {
    fail(code, "camera {}: {}: {}", path_, what, std::strerror(errno));
  }

  // False with errno.
  bool try_call(unsigned long request, void* argument) const {
    int result;
    do result = ::ioctl(device_, request, argument);
    while (result < 0 && errno == EINTR);
    return result >= 0;
  }
  void call(unsigned long request, void* argument, const char* name) const {
    if (!try_call(request, argument)) fail_with(ErrorCode::kIo, name);
  }

  void check_capabilities() const {
    v4l2_capability found{};
    if (!try_call(VIDIOC_QUERYCAP, &found))
      fail(ErrorCode::kUnsupported, "camera {}: not a Video4Linux device", path_);
    const uint32_t all =
        (found.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? found.device_caps : found.capabilities;
    constexpr uint32_t kNeeded = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    if ((all & kNeeded) != kNeeded)
      fail(ErrorCode::kUnsupported, "camera {}: it does not stream captured video", path_);
  }

  void choose_format() {
    for (const uint32_t pixels : {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG}) {
      v4l2_format format{};
      format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
      format.fmt.pix = {kWidth, kHeight, pixels, V4L2_FIELD_NONE};
      if (!try_call(VIDIOC_S_FMT, &format) || format.fmt.pix.pixelformat != pixels) continue;
      format_ = format.fmt.pix;  // the driver may have chosen another size
      return;
    }
    fail(ErrorCode::kUnsupported, "camera {}: it delivers neither YUYV nor MJPEG", path_);
  }

  void map_buffers() {
    v4l2_requestbuffers request{};
    request.count = kNumBuffers;
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    request.memory = V4L2_MEMORY_MMAP;
    call(VIDIOC_REQBUFS, &request, "VIDIOC_REQBUFS");
    for (uint32_t i = 0; i < request.count; ++i) {
      v4l2_buffer buffer = description(i);
      call(VIDIOC_QUERYBUF, &buffer, "VIDIOC_QUERYBUF");
      void* const bytes = ::mmap(nullptr, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED,
                                 device_, static_cast<off_t>(buffer.m.offset));
      if (bytes == MAP_FAILED) fail_with(ErrorCode::kIo, "mmap");
      buffers_.emplace_back(static_cast<uint8_t*>(bytes), buffer.length);
      enqueue(buffer);
    }
  }

  static v4l2_buffer description(uint32_t index) {
    v4l2_buffer buffer{};
    buffer.index = index;
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    buffer.memory = V4L2_MEMORY_MMAP;
    return buffer;
  }

  void wait() const {
    pollfd ready{device_, POLLIN, 0};
    const int count = ::poll(&ready, 1, kMaxFrameMs);
    if (count == 0)
      fail(ErrorCode::kTimeout, "camera {}: no frame within {} ms", path_, kMaxFrameMs);
    if (count < 0 && errno != EINTR) fail_with(ErrorCode::kIo, "poll");
  }

  // nullopt: no frame is ready.
  std::optional<v4l2_buffer> dequeue() const {
    v4l2_buffer buffer = description(0);
    if (try_call(VIDIOC_DQBUF, &buffer)) return buffer;
    if (errno == EAGAIN) return std::nullopt;
    fail_with(ErrorCode::kIo, "VIDIOC_DQBUF");
  }
  void enqueue(v4l2_buffer buffer) const { call(VIDIOC_QBUF, &buffer, "VIDIOC_QBUF"); }

  Frame frame_of(std::span<const uint8_t> bytes) const {
    Frame frame;
    if (format_.pixelformat == V4L2_PIX_FMT_MJPEG) {
      frame.jpeg.assign(bytes.begin(), bytes.end());
      return frame;
    }
    const uint64_t expected = uint64_t{format_.bytesperline} * format_.height;
    if (bytes.size() < expected)
      fail(ErrorCode::kIo, "camera {}: a frame of {}, expected {}", path_,
           counted(bytes.size(), "byte"), expected);
    frame.width = format_.width & ~1u;
    frame.height = format_.height;
    frame.rgb = rgb_of_yuyv(bytes, frame.width, frame.height, format_.bytesperline);
    return frame;
  }

  void release() {
    for (const std::span<uint8_t>& buffer : buffers_) ::munmap(buffer.data(), buffer.size());
    ::close(device_);  // ends the stream
  }

  const std::string path_;
  const int device_;
  v4l2_pix_format format_{};
  std::vector<std::span<uint8_t>> buffers_;
};

}  // namespace

std::vector<uint8_t> rgb_of_yuyv(std::span<const uint8_t> yuyv, int64_t width, int64_t height,
                                 int64_t pitch_bytes) {
  std::vector<uint8_t> rgb(static_cast<size_t>(width * height * 3));
  uint8_t* to = rgb.data();
  for (int64_t row = 0; row < height; ++row) {
    const uint8_t* from = yuyv.data() + row * pitch_bytes;
    for (int64_t x = 0; x < width; ++x, to += 3) {
      // Coefficients of BT.601 in 1/256.
      const int32_t luma = 298 * (from[2 * x] - 16) + 128;
      const int32_t u = from[2 * (x & ~int64_t{1}) + 1] - 128, v = from[2 * (x | 1) + 1] - 128;
      to[0] = clipped((luma + 409 * v) >> 8);
      to[1] = clipped((luma - 100 * u - 208 * v) >> 8);
      to[2] = clipped((luma + 516 * u) >> 8);
    }
  }
  return rgb;
}

std::unique_ptr<Camera> open_v4l2_camera(const std::string& path) {
  return std::make_unique<V4l2Camera>(path);
}

}  // namespace vta::run
