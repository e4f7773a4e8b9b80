// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_FILES_CHECKSUM_H_
#define VTA_BASE_FILES_CHECKSUM_H_

#include <cstdint>
#include <span>

namespace vta {

// CRC-32 as in zip and PNG (polynomial 0xEDB88320, reflected, initial and final inversion),
// continued from `before`, the checksum of the bytes before these.
uint32_t crc32(std::span<const uint8_t> bytes, uint32_t before = 0);

}  // namespace vta

#endif  // VTA_BASE_FILES_CHECKSUM_H_
