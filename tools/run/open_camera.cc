// SPDX-License-Identifier: Apache-2.0
#include "tools/run/open_camera.h"

#include <sys/stat.h>

#include "tools/run/jpeg_stream.h"
#include "tools/run/v4l2_camera.h"

namespace vta::run {

std::unique_ptr<Camera> open_camera(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode)) return open_v4l2_camera(path);
  return open_jpeg_stream(path);
}

}  // namespace vta::run
