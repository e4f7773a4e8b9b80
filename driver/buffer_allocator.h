// SPDX-License-Identifier: Apache-2.0
//
// Memory that both the processor and a core on the bus reach. Where it comes from (a kernel module,
// a reserved piece of DDR, XRT, a test) is an implementation's own business.
#ifndef VTA_DRIVER_BUFFER_ALLOCATOR_H_
#define VTA_DRIVER_BUFFER_ALLOCATOR_H_

#include <cstdint>
#include <memory>
#include <string>

namespace vta::driver {

// A piece of such memory; released with the object. Ranges of the two functions lie inside of it.
class Buffer {
 public:
  virtual ~Buffer() = default;

  virtual uint8_t* host() = 0;               // mapped into this process
  virtual uint64_t bus_address() const = 0;  // what the core calls it
  virtual uint64_t size_bytes() const = 0;   // at least what was asked for

  // What the processor has written, the core sees; and the other way round.
  virtual void sync_to_core(uint64_t offset_bytes, uint64_t size_bytes) = 0;
  virtual void sync_from_core(uint64_t offset_bytes, uint64_t size_bytes) = 0;
};

class BufferAllocator {
 public:
  virtual ~BufferAllocator() = default;

  // For people: where the memory comes from ("u-dma-buf udmabuf0, 64 MiB").
  virtual std::string describe() const = 0;

  // Aligned to kArenaAlignmentBytes on the bus; the contents are anything.
  // Errors: kOutOfMemory, naming the size asked for and the size left.
  virtual std::unique_ptr<Buffer> allocate(uint64_t size_bytes) = 0;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_BUFFER_ALLOCATOR_H_
