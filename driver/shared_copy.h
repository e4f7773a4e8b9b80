// SPDX-License-Identifier: Apache-2.0
//
// Copies to and from memory that a core shares. Where the kernel maps it uncached, as UIO does, it
// is device memory to an ARM processor, which raises a bus error for what is not aligned; memcpy()
// and memset() may do such accesses.
#ifndef VTA_DRIVER_SHARED_COPY_H_
#define VTA_DRIVER_SHARED_COPY_H_

#include <cstdint>
#include <span>

namespace vta::driver {

// Shared memory is read and written in aligned words of 32 bits, and in bytes before and behind.
void copy_to_shared(uint8_t* shared, std::span<const uint8_t> bytes);
void copy_from_shared(std::span<uint8_t> bytes, const uint8_t* shared);
void clear_shared(uint8_t* shared, uint64_t size_bytes);

}  // namespace vta::driver

#endif  // VTA_DRIVER_SHARED_COPY_H_
