// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing whole files.
#ifndef VTA_BASE_FILES_FILE_H_
#define VTA_BASE_FILES_FILE_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace vta {

// The bytes of a regular file.
// Errors: kNotFound; kIo; kInvalidArgument if it is not a regular file or larger than
// `limit_bytes`.
std::vector<uint8_t> read_file(const std::filesystem::path& path,
                               uint64_t limit_bytes = uint64_t{1} << 31);
std::string read_text_file(const std::filesystem::path& path,
                           uint64_t limit_bytes = uint64_t{64} << 20);

// The file that `path` leads to if it is a symbolic link, also one that does not exist yet. Errors:
// kIo for links that lead to each other.
std::filesystem::path link_target(const std::filesystem::path& path);

// Replaces `path` atomically (a temporary file in the same folder, then rename). An interrupted
// write never leaves a partial file. A file that several threads, processes or containers write is
// always one of their whole versions. An existing file's permissions are kept, links are followed,
// and devices and pipes are written directly. Errors: kIo, naming the path and the system's
// reason.
void write_file(const std::filesystem::path& path, std::span<const uint8_t> bytes);
void write_file(const std::filesystem::path& path, const std::string& text);

// Creates an empty file beside `target`, which the caller writes and renames. No other thread,
// process or container has its name; it is never made through a link. It has the permissions of
// `target`, if that exists. Errors: as write_file().
std::filesystem::path make_temporary_beside(const std::filesystem::path& target);

// Creates the folder and those above it, if they do not exist. Errors: kIo.
void make_folder(const std::filesystem::path& folder);

// The path of an existing file: `name` as given, else in the first of `folders` that has it.
// Errors: kNotFound, listing every path that was tried.
std::filesystem::path find_file(const std::string& name,
                                const std::vector<std::filesystem::path>& folders);

}  // namespace vta

#endif  // VTA_BASE_FILES_FILE_H_
