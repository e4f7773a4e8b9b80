// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_FILES_FILE_START_H_
#define VTA_BASE_FILES_FILE_START_H_

#include <cstddef>
#include <filesystem>
#include <string>

namespace vta {

// The first `max_bytes` bytes of a regular file, or all if it is shorter, to recognize its format.
// Empty for what is not a regular file: reading a pipe could wait forever.
std::string file_start(const std::filesystem::path& path, size_t max_bytes);

}  // namespace vta

#endif  // VTA_BASE_FILES_FILE_START_H_
