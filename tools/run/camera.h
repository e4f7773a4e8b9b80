// SPDX-License-Identifier: Apache-2.0
//
// Camera: the interface of what delivers frames one after another.
#ifndef VTA_TOOLS_RUN_CAMERA_H_
#define VTA_TOOLS_RUN_CAMERA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vta::run {

// Either a JPEG image, or pixels.
struct Frame {
  std::vector<uint8_t> jpeg;
  int64_t width = 0, height = 0;
  std::vector<uint8_t> rgb;  // [height][width][3]
};

class Camera {
 public:
  virtual ~Camera() = default;

  // Waits for the next frame; nullopt at the end of a file or pipe. A device's frames are current:
  // those that it delivered between two calls are dropped, except the last.
  // Errors: kTimeout, kIo, kCorrupt; the message names the camera.
  virtual std::optional<Frame> next() = 0;
};

}  // namespace vta::run

#endif  // VTA_TOOLS_RUN_CAMERA_H_
