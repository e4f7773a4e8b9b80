// SPDX-License-Identifier: Apache-2.0
//
// Where buffers come from on a Linux without XRT. A processor's caches and a core behind an HP port
// know nothing of each other, so each source says how it keeps both right.
#ifndef VTA_DRIVER_UIO_BUS_MEMORY_H_
#define VTA_DRIVER_UIO_BUS_MEMORY_H_

#include <memory>
#include <string>

#include "driver/buffer_allocator.h"
#include "driver/linux/system_roots.h"
#include "driver/uio/uio_node.h"

namespace vta::driver {

// Each of the three gives null and says why in `reason`, if the system has no such memory.

// The module u-dma-buf: cached, and synced range by range. The largest of its devices, or the one
// called `device`. Errors: kDevice if another process uses it.
std::unique_ptr<BufferAllocator> open_u_dma_buf(const SystemRoots& roots, const std::string& device,
                                                std::string& reason);

// A piece of DDR that the device tree keeps from Linux (`no-map`) and shows as a second map of the
// core's UIO device, or as a UIO device called "<core's name>-memory": uncached.
// Errors: as above.
std::unique_ptr<BufferAllocator> open_carve_out(const SystemRoots& roots, const UioNode& core,
                                                std::string& reason);

// Contiguous memory of the kernel (CMA) by dma-heap, buffer by buffer: cached and not synced, hence
// for designs on a coherent port only. Needs root, for physical addresses.
std::unique_ptr<BufferAllocator> open_dma_heap(const SystemRoots& roots, std::string& reason);

// Of `size_bytes` at `address` of this process: where they start in physical memory, by the file
// PROC/self/pagemap. Errors: kDevice if they are not contiguous there, or the kernel does not say.
uint64_t physical_address(const std::filesystem::path& pagemap, uint64_t address,
                          uint64_t size_bytes);

}  // namespace vta::driver

#endif  // VTA_DRIVER_UIO_BUS_MEMORY_H_
