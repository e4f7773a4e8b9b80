// SPDX-License-Identifier: Apache-2.0
//
// Copies to and from memory shared with a core. Memory that the kernel maps uncached, as UIO does,
// is device memory to an ARM processor and raises a bus error on unaligned accesses, which memcpy()
// and memset() may use.
#ifndef VTA_DRIVER_SHARED_COPY_H_
#define VTA_DRIVER_SHARED_COPY_H_

#include <cstdint>
#include <span>

namespace vta::driver {

// Accesses shared memory in aligned 32-bit words, and in bytes before the first and after the last
// aligned word.
void copy_to_shared(uint8_t* shared, std::span<const uint8_t> bytes);
void copy_from_shared(std::span<uint8_t> bytes, const uint8_t* shared);
void clear_shared(uint8_t* shared, uint64_t size_bytes);

}  // namespace vta::driver

#endif  // VTA_DRIVER_SHARED_COPY_H_
