// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_SIM_CACHE_FOLDER_H_
#define VTA_TOOLS_SIM_CACHE_FOLDER_H_

#include <filesystem>
#include <string>

namespace vta::sim {

// The folder of this user for what can be computed again: `given`, or vta in $XDG_CACHE_HOME or in
// ~/.cache. Errors: UsageError if neither is known.
std::filesystem::path cache_folder(const std::string& given = "");

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_CACHE_FOLDER_H_
