// SPDX-License-Identifier: Apache-2.0
//
// DeviceMemory: the memory of a device that lives in this process, as the simulators' devices do.
#ifndef VTA_DRIVER_DEVICE_MEMORY_H_
#define VTA_DRIVER_DEVICE_MEMORY_H_

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>

#include "driver/device.h"

namespace vta::driver {

// Blocks of zeroed host memory behind device addresses. An address is never given out twice, and
// between two blocks there is a page that belongs to neither: whatever is freed or one past an end
// stays an error. Addresses depend only on the sequence of calls. Not for several threads at once.
class DeviceMemory {
 public:
  // `capacity_bytes`: what all blocks together may take, each rounded up to kArenaAlignmentBytes.
  explicit DeviceMemory(uint64_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

  // A block of `size_bytes` zeros; its device and its host address are multiples of
  // kArenaAlignmentBytes. Host pages are taken when they are first touched. Errors:
  // kInvalidArgument for 0 bytes; kOutOfMemory, naming the size asked for and the size left.
  DeviceAddress allocate(uint64_t size_bytes);

  // Errors: kInvalidArgument if no live block starts at `address` (freed before, or never given
  // out).
  void free(DeviceAddress address);

  // Errors: kInvalidArgument if the range is not inside one live block. Empty ranges do nothing.
  void copy_in(DeviceAddress dst, std::span<const uint8_t> src);
  void copy_out(std::span<uint8_t> dst, DeviceAddress src) const;

  // The host memory of [address, address + size_bytes), valid until free() of its block.
  // Errors: kInvalidArgument as above.
  uint8_t* resolve(DeviceAddress address, uint64_t size_bytes) const;

  uint64_t capacity_bytes() const { return capacity_bytes_; }
  uint64_t used_bytes() const { return used_bytes_; }

 private:
  struct FreeHostMemory {
    void operator()(uint8_t* pointer) const { std::free(pointer); }
  };
  struct Block {
    std::unique_ptr<uint8_t, FreeHostMemory> host;  // as calloc gave it
    uint8_t* data;                                  // the first aligned byte
    uint64_t size_bytes;
  };

  uint64_t capacity_bytes_;
  uint64_t used_bytes_ = 0;
  // Address 0 is left out, so that a forgotten DeviceAddress{} is an error too.
  uint64_t next_address_bytes_ = kArenaAlignmentBytes;
  std::map<uint64_t, Block> blocks_;  // by device address
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_DEVICE_MEMORY_H_
