// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_RUN_V4L2_CAMERA_H_
#define VTA_TOOLS_RUN_V4L2_CAMERA_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/run/camera.h"

namespace vta::run {

// As open_camera(), for a character device.
std::unique_ptr<Camera> open_v4l2_camera(const std::string& path);

// Pixels of YUYV, two in four bytes (Y0 U Y1 V; ITU-R BT.601, limited range), rows `pitch_bytes`
// apart, as RGB. The width is even.
std::vector<uint8_t> rgb_of_yuyv(std::span<const uint8_t> yuyv, int64_t width, int64_t height,
                                 int64_t pitch_bytes);

}  // namespace vta::run

#endif  // VTA_TOOLS_RUN_V4L2_CAMERA_H_
