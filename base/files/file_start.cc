// SPDX-License-Identifier: Apache-2.0
#include "base/files/file_start.h"

#include <fstream>

namespace vta {

std::string file_start(const std::filesystem::path& path, size_t max_bytes) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "";
  std::ifstream file(path, std::ios::binary);
  std::string bytes(max_bytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(max_bytes));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

}  // namespace vta
