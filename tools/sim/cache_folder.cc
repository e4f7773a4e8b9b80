// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/cache_folder.h"

#include <cstdlib>

#include "base/command_line/command_line.h"

namespace vta::sim {
namespace fs = std::filesystem;

fs::path cache_folder(const std::string& given) {
  if (!given.empty()) return given;
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return fs::path(cache) / "vta";
  if (const std::string home = variable("HOME"); !home.empty())
    return fs::path(home) / ".cache/vta";
  throw UsageError(
      "neither $XDG_CACHE_HOME nor $HOME is set; set one of them, for the folder of cycle models");
}

}  // namespace vta::sim
