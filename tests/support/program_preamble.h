// SPDX-License-Identifier: Apache-2.0
//
// The preamble of program files (.vta), for tests that change files.
#ifndef VTA_TESTS_SUPPORT_PROGRAM_PREAMBLE_H_
#define VTA_TESTS_SUPPORT_PROGRAM_PREAMBLE_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/files/checksum.h"

namespace vta::support {

// After the magic number: the version, the checksum of all bytes after it, the sizes of the file
// and of the JSON header. Data begin at the next multiple of the alignment.
inline constexpr size_t kVersionAt = 8, kCrcAt = 12, kFileBytesAt = 16, kHeaderBytesAt = 24,
                        kHeaderAt = 32, kDataAlignmentBytes = 64;

inline void fix_checksum(std::vector<uint8_t>& file) {
  const uint32_t crc = crc32(std::span(file).subspan(kFileBytesAt));
  std::memcpy(&file[kCrcAt], &crc, sizeof crc);
}

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_PROGRAM_PREAMBLE_H_
