// SPDX-License-Identifier: Apache-2.0
//
// Whole files in and out.
#ifndef VTA_RUNTIME_BASE_FILE_H_
#define VTA_RUNTIME_BASE_FILE_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace vta {

// The bytes of a regular file.
// Errors: kNotFound; kIo; kInvalidArgument if it is no regular file or larger than `limit_bytes`.
std::vector<uint8_t> read_file(const std::filesystem::path& path,
                               uint64_t limit_bytes = uint64_t{1} << 31);
std::string read_text_file(const std::filesystem::path& path,
                           uint64_t limit_bytes = uint64_t{64} << 20);

// Replaces `path` in one step (a temporary file beside it, then rename), so that an interrupted
// write leaves the old file or none, never half of one. A file that was there keeps its
// permissions, and a link leads to the new one; what is no file (a device, a pipe) is written to.
// Errors: kIo, naming the path and the system's reason.
void write_file(const std::filesystem::path& path, std::span<const uint8_t> bytes);
void write_file(const std::filesystem::path& path, const std::string& text);

// Where a bare name is looked for: as given, then in `folders` in order.
// Errors: kNotFound, listing every place that was tried.
std::filesystem::path find_file(const std::string& name,
                                const std::vector<std::filesystem::path>& folders);

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_FILE_H_
