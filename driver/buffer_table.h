// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_BUFFER_TABLE_H_
#define VTA_DRIVER_BUFFER_TABLE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "driver/buffer_allocator.h"
#include "driver/device.h"

namespace vta::driver {

// A position inside one buffer.
struct BufferRange {
  Buffer* buffer;
  uint64_t offset_bytes;
  uint8_t* host() const { return buffer->host() + offset_bytes; }
};

// The live buffers of a device, by bus address.
class BufferTable {
 public:
  // Takes ownership of a buffer of `size_bytes` and zeroes it.
  DeviceAddress add(std::unique_ptr<Buffer> buffer, uint64_t size_bytes);

  // Errors: kInvalidArgument if no live buffer starts at `address`.
  void remove(DeviceAddress address);

  // Copies with the necessary syncs. Empty copies do nothing. Errors: any error of resolve().
  void copy_in(DeviceAddress dst, std::span<const uint8_t> src);
  void copy_out(std::span<uint8_t> dst, DeviceAddress src);

  // Errors: kInvalidArgument if the range is not inside one live buffer.
  BufferRange resolve(DeviceAddress address, uint64_t size_bytes) const;

 private:
  struct Entry {
    std::unique_ptr<Buffer> buffer;
    uint64_t size_bytes;  // as requested
  };
  std::map<uint64_t, Entry> entries_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_BUFFER_TABLE_H_
