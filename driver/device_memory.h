// SPDX-License-Identifier: Apache-2.0
//
// DeviceMemory: the memory of devices that are simulated in this process.
#ifndef VTA_DRIVER_DEVICE_MEMORY_H_
#define VTA_DRIVER_DEVICE_MEMORY_H_

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>

#include "driver/device.h"

namespace vta::driver {

// Allocates blocks of zeroed host memory and maps device addresses to them. Addresses are never
// reused, and an unmapped page follows each block, so that accesses to freed memory and past the
// end are errors. Addresses depend only on the sequence of calls. Not thread-safe.
class DeviceMemory {
 public:
  // `capacity_bytes`: the limit for the sum of all blocks, each rounded up to kArenaAlignmentBytes.
  explicit DeviceMemory(uint64_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

  // Allocates a block of `size_bytes` zeros; its device and host addresses are multiples of
  // kArenaAlignmentBytes. The host commits pages on first access.
  // Errors: kInvalidArgument for 0 bytes; kOutOfMemory, naming the requested size and the free
  // size.
  DeviceAddress allocate(uint64_t size_bytes);

  // Errors: kInvalidArgument if no live block starts at `address`.
  void free(DeviceAddress address);

  // Errors: kInvalidArgument if the range is not inside one live block. Empty ranges do nothing.
  void copy_in(DeviceAddress dst, std::span<const uint8_t> src);
  void copy_out(std::span<uint8_t> dst, DeviceAddress src) const;

  // Returns the host memory of [address, address + size_bytes), valid until free() of its block.
  // Errors: kInvalidArgument if the range is not inside one live block.
  uint8_t* resolve(DeviceAddress address, uint64_t size_bytes) const;

  uint64_t capacity_bytes() const { return capacity_bytes_; }
  uint64_t used_bytes() const { return used_bytes_; }

 private:
  struct FreeHostMemory {
    void operator()(uint8_t* pointer) const { std::free(pointer); }
  };
  struct Block {
    std::unique_ptr<uint8_t, FreeHostMemory> host;  // from calloc
    uint8_t* data;                                  // first aligned byte
    uint64_t size_bytes;
  };

  uint64_t capacity_bytes_;
  uint64_t used_bytes_ = 0;
  // Address 0 is never used, so that an uninitialized DeviceAddress{} is an error.
  uint64_t next_address_bytes_ = kArenaAlignmentBytes;
  std::map<uint64_t, Block> blocks_;  // by device address
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_DEVICE_MEMORY_H_
