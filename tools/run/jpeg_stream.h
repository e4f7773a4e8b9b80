// SPDX-License-Identifier: Apache-2.0
//
// Frames of a file or pipe of JPEG images one after another (MJPEG), which is what many cameras and
// `ffmpeg -f mjpeg` write. Errors: as open_camera(), for what is not a character device.
#ifndef VTA_TOOLS_RUN_JPEG_STREAM_H_
#define VTA_TOOLS_RUN_JPEG_STREAM_H_

#include <memory>
#include <string>

#include "tools/run/camera.h"

namespace vta::run {

std::unique_ptr<Camera> open_jpeg_stream(const std::string& path);

}  // namespace vta::run

#endif  // VTA_TOOLS_RUN_JPEG_STREAM_H_
