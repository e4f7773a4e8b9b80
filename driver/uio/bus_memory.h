// SPDX-License-Identifier: Apache-2.0
//
// Buffer allocators for boards without XRT. The processor's caches and a core on an HP port are not
// coherent, so each source defines how it keeps them consistent.
#ifndef VTA_DRIVER_UIO_BUS_MEMORY_H_
#define VTA_DRIVER_UIO_BUS_MEMORY_H_

#include <memory>
#include <string>

#include "driver/buffer_allocator.h"
#include "driver/linux/system_roots.h"
#include "driver/uio/uio_node.h"

namespace vta::driver {

// Each function returns null and sets `reason` if the system has no such memory.

// The kernel module u-dma-buf: cached, with syncs of ranges. Uses the largest of its devices, or
// `device` if not empty. Errors: kDevice if another process uses it.
std::unique_ptr<BufferAllocator> open_u_dma_buf(const SystemRoots& roots, const std::string& device,
                                                std::string& reason);

// A region of DDR that the device tree reserves (`no-map`) and exposes as the second map of the
// core's UIO device, or as a UIO device "<core's name>-memory": uncached.
// Errors: as above.
std::unique_ptr<BufferAllocator> open_carve_out(const SystemRoots& roots, const UioNode& core,
                                                std::string& reason);

// Contiguous kernel memory (CMA) from zocl, XRT's kernel module, one allocation per buffer: cached,
// with syncs of ranges. PYNQ's images have it. Needs no XRT library and no .xclbin file.
std::unique_ptr<BufferAllocator> open_zocl_memory(const SystemRoots& roots, std::string& reason);

// Contiguous kernel memory (CMA) from dma-heap, one allocation per buffer: cached and not synced,
// hence only for designs on a coherent port. Needs root for physical addresses.
std::unique_ptr<BufferAllocator> open_dma_heap(const SystemRoots& roots, std::string& reason);

// Returns the physical address of `size_bytes` at virtual `address` of this process, from the file
// PROC/self/pagemap. Errors: kDevice if the range is not physically contiguous, or the kernel hides
// the address.
uint64_t physical_address(const std::filesystem::path& pagemap, uint64_t address,
                          uint64_t size_bytes);

}  // namespace vta::driver

#endif  // VTA_DRIVER_UIO_BUS_MEMORY_H_
