// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_FILES_GZIP_H_
#define VTA_BASE_FILES_GZIP_H_

#include <cstdint>
#include <span>
#include <vector>

namespace vta {

bool is_gzip(std::span<const uint8_t> bytes);  // by its first bytes

// The content of a gzip file with one member. It is inflated twice: a file that is refused takes no
// memory. Errors: kCorrupt for damage, for bytes after the member, and for more than `limit_bytes`.
std::vector<uint8_t> gunzip(std::span<const uint8_t> bytes, uint64_t limit_bytes);

// The first `count` bytes of the content, fewer if it is damaged or shorter.
std::vector<uint8_t> gunzip_start(std::span<const uint8_t> bytes, size_t count);

}  // namespace vta

#endif  // VTA_BASE_FILES_GZIP_H_
