// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/checksum.h"

#include <zlib.h>

namespace vta {

uint32_t crc32(std::span<const uint8_t> bytes) {
  return static_cast<uint32_t>(::crc32_z(0, bytes.data(), bytes.size()));
}

}  // namespace vta
