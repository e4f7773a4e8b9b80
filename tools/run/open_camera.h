// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_RUN_OPEN_CAMERA_H_
#define VTA_TOOLS_RUN_OPEN_CAMERA_H_

#include <memory>
#include <string>

#include "tools/run/camera.h"

namespace vta::run {

// Opens a V4L2 device (a character device, "/dev/video0") or an MJPEG file or pipe. A device is
// asked for 640x480 pixels in YUYV, or in MJPEG if it lacks that.
// Errors: kNotFound; kUnsupported for a device that captures neither.
std::unique_ptr<Camera> open_camera(const std::string& path);

}  // namespace vta::run

#endif  // VTA_TOOLS_RUN_OPEN_CAMERA_H_
