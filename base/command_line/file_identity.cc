// SPDX-License-Identifier: Apache-2.0
#include "base/command_line/file_identity.h"

#include <fmt/format.h>

#include "base/command_line/command_line.h"
#include "base/files/file.h"

namespace vta {
namespace fs = std::filesystem;

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code none;
  if (fs::exists(a, none) && !fs::is_regular_file(a, none)) return false;
  const auto place =
      [&](const fs::path& path) {  // also of what a link names and does not exist yet
        return fs::weakly_canonical(fs::absolute(link_target(path)), none);
      };
  return fs::equivalent(a, b, none) || place(a) == place(b);
}

void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<fs::path>& inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty()) continue;
    for (const fs::path& input : inputs) {
      if (input.empty() || !is_same_file(path, input)) continue;
      throw UsageError(fmt::format("{} {} is the input {}, which would be overwritten", option,
                                   path.string(), input.string()));
    }
    for (size_t j = 0; j < i; ++j) {
      if (outputs[j].path.empty() || !is_same_file(path, outputs[j].path)) continue;
      throw UsageError(fmt::format("{} and {} name the same file, {}", outputs[j].option, option,
                                   path.string()));
    }
  }
}

}  // namespace vta
