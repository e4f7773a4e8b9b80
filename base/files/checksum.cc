// SPDX-License-Identifier: Apache-2.0
#include "base/files/checksum.h"

#include <zlib.h>

namespace vta {

uint32_t crc32(std::span<const uint8_t> bytes, uint32_t before) {
  if (bytes.empty()) return before;  // for zlib, a null pointer means a new checksum
  return static_cast<uint32_t>(::crc32_z(before, bytes.data(), bytes.size()));
}

}  // namespace vta
