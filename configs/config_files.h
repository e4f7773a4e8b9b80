// SPDX-License-Identifier: Apache-2.0
//
// Names and files of configurations.
#ifndef VTA_CONFIGS_CONFIG_FILES_H_
#define VTA_CONFIGS_CONFIG_FILES_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace vta {

constexpr uint64_t kMaxConfigFileBytes = 1 << 20;
constexpr size_t kMaxConfigNameChars = 64;

// 1 to 64 letters, digits, '_', '-', '.' and '+'.
bool is_config_name(const std::string& name);

// The folders of the project's data files (cores/, networks/), in search order: $VTA_CONFIG_PATH;
// PREFIX/share/vta/configs if the running program is in PREFIX/bin or the library in PREFIX/lib;
// the source tree it was built from. The last two only if they exist.
std::vector<std::filesystem::path> config_folders();

// The folders of the installed networks: networks/ in each of config_folders().
std::vector<std::filesystem::path> network_folders();

// The path of a file that a network or program names: relative to `folder`, else to
// network_folders(). Errors: kNotFound, listing the paths that were tried.
std::filesystem::path find_beside(const std::string& name, const std::filesystem::path& folder);

// The file of a configuration: `name` itself if that is a file, else <folder>/<name>.json in one of
// the configuration folders. `noun`: what it is ("core"), for the message.
// Errors: kNotFound, listing the installed ones.
std::filesystem::path find_config_file(const std::string& folder, const char* noun,
                                       const std::string& name);

// The names of the configurations in `folder` of all configuration folders, sorted.
std::vector<std::string> installed_config_names(const std::string& folder);

}  // namespace vta

#endif  // VTA_CONFIGS_CONFIG_FILES_H_
