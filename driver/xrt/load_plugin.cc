// SPDX-License-Identifier: Apache-2.0
#include "driver/xrt/load_plugin.h"

#include <dlfcn.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/files/installation.h"

namespace vta::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPluginName = "libvta_xrt.so";

std::vector<fs::path> places() {
  std::vector<fs::path> found;
  if (const char* path = std::getenv("VTA_PLUGIN_PATH"); path != nullptr && *path != '\0') {
    found.emplace_back(path);
    return found;
  }
  if (const auto prefix = installation_prefix()) found.push_back(*prefix / VTA_PLUGINS);
  found.emplace_back(VTA_BUILT_PLUGINS);
  return found;
}

void* open_plugin() {
  std::vector<std::string> tried;
  for (const fs::path& place : places()) {
    const fs::path path = place / kPluginName;
    std::error_code error;
    if (!fs::exists(path, error)) {
      tried.push_back("no " + path.string());
      continue;
    }
    if (void* plugin = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return plugin;
    tried.push_back(fmt::format("{}", ::dlerror()));
  }
  fail(
      ErrorCode::kNotFound,
      "device 'xrt': {}: this build has no XRT (libxrt-dev was missing), or its plugin was removed",
      fmt::join(tried, "; "));
}

}  // namespace

const VtaXrtApi& load_xrt_plugin() {
  // Never unloaded: XRT's threads and state last until the process ends.
  static void* const plugin = open_plugin();
  const auto function = reinterpret_cast<VtaXrtApiFunction>(::dlsym(plugin, kVtaXrtApiSymbol));
  const VtaXrtApi* api = function == nullptr ? nullptr : function();
  if (api == nullptr || api->version != kVtaXrtApiVersion) {
    fail(ErrorCode::kDevice, "device 'xrt': {} has interface version {}, expected {}", kPluginName,
         api == nullptr ? 0 : api->version, kVtaXrtApiVersion);
  }
  return *api;
}

}  // namespace vta::driver
