// SPDX-License-Identifier: Apache-2.0
//
// BufferAllocator: memory shared by the processor and a core on the bus. Implementations take it
// from a kernel module, a reserved DDR region, XRT or a test.
#ifndef VTA_DRIVER_BUFFER_ALLOCATOR_H_
#define VTA_DRIVER_BUFFER_ALLOCATOR_H_

#include <cstdint>
#include <memory>
#include <string>

namespace vta::driver {

// A block of shared memory, released with the object. Offsets and sizes must be inside the block.
class Buffer {
 public:
  virtual ~Buffer() = default;

  virtual uint8_t* host() = 0;               // mapped into this process
  virtual uint64_t bus_address() const = 0;  // the core's address
  virtual uint64_t size_bytes() const = 0;   // at least the requested size

  // Makes the processor's writes visible to the core, and the core's writes visible to the
  // processor.
  virtual void sync_to_core(uint64_t offset_bytes, uint64_t size_bytes) = 0;
  virtual void sync_from_core(uint64_t offset_bytes, uint64_t size_bytes) = 0;
};

class BufferAllocator {
 public:
  virtual ~BufferAllocator() = default;

  // Describes the source of the memory for messages ("u-dma-buf udmabuf0, 64 MiB").
  virtual std::string describe() const = 0;

  // Allocates uninitialized memory, aligned to kArenaAlignmentBytes on the bus.
  // Errors: kOutOfMemory, naming the requested size and the free size.
  virtual std::unique_ptr<Buffer> allocate(uint64_t size_bytes) = 0;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_BUFFER_ALLOCATOR_H_
