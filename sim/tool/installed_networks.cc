// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/installed_networks.h"

#include <filesystem>
#include <set>

#include "configs/core_config.h"

namespace vta::sim {
namespace fs = std::filesystem;

std::vector<std::string> installed_network_names() {
  std::set<std::string> names;
  for (const fs::path& folder : config_folders()) {
    std::error_code missing;  // a folder that is not there lists nothing
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "networks", missing)) {
      if (entry.path().extension() == ".json") names.insert(entry.path().filename().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace vta::sim
