// SPDX-License-Identifier: Apache-2.0
#include "configs/config_files.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/installation.h"

namespace vta {
namespace fs = std::filesystem;
namespace {

void add_if_folder(std::vector<fs::path>& folders, const fs::path& folder) {
  std::error_code ignored;  // an unreadable folder counts as absent
  if (fs::is_directory(folder, ignored)) folders.push_back(folder);
}

// Stems of the .json files in `folder`.
void add_names(std::set<std::string>& names, const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".json") names.insert(entry->path().stem().string());
  }
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '+';
}

}  // namespace

bool is_config_name(const std::string& name) {
  return !name.empty() && name.size() <= kMaxConfigNameChars &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

fs::path find_config_file(const std::string& folder, const char* noun, const std::string& name) {
  if (is_file(name)) return name;
  const bool is_bare = !name.empty() && name.find('/') == std::string::npos;
  if (is_bare) {
    const std::string file_name = name.ends_with(".json") ? name : name + ".json";
    for (const fs::path& place : config_folders()) {
      if (is_file(place / folder / file_name)) return place / folder / file_name;
    }
  }
  fail(ErrorCode::kNotFound, "{} '{}' is neither a file nor one of the installed {}: {}", noun,
       name, folder, fmt::join(installed_config_names(folder), ", "));
}

std::vector<std::string> installed_config_names(const std::string& folder) {
  std::set<std::string> names;
  for (const fs::path& place : config_folders()) add_names(names, place / folder);
  return {names.begin(), names.end()};
}

std::vector<fs::path> config_folders() {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("VTA_CONFIG_PATH"); path != nullptr && *path != '\0') {
    folders.emplace_back(path);
  }
  if (const auto prefix = installation_prefix()) {
    add_if_folder(folders, *prefix / VTA_INSTALLED_CONFIGS);
  }
  add_if_folder(folders, VTA_SOURCE_CONFIGS);
  return folders;
}

std::vector<fs::path> network_folders() {
  std::vector<fs::path> folders;
  for (const fs::path& configs : config_folders()) folders.push_back(configs / "networks");
  return folders;
}

fs::path find_beside(const std::string& name, const fs::path& folder) {
  // Not find_file(name): that would prefer a file of this name in the working folder.
  const fs::path beside = folder / name;
  std::error_code error;
  if (fs::exists(beside, error)) return beside.lexically_normal();
  return find_file(name, network_folders());
}

}  // namespace vta
