// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_MEMORY_DEVICE_H_
#define VTA_DRIVER_MEMORY_DEVICE_H_

#include "driver/device_memory.h"

namespace vta::driver {

// Base of devices whose memory is a DeviceMemory. Derived classes implement describe() and run().
class MemoryDevice : public Device {
 public:
  DeviceAddress allocate(uint64_t size_bytes) override { return memory_.allocate(size_bytes); }
  void free(DeviceAddress address) override { memory_.free(address); }
  void copy_in(DeviceAddress dst, std::span<const uint8_t> src) override {
    memory_.copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, DeviceAddress src) override { memory_.copy_out(dst, src); }

 protected:
  explicit MemoryDevice(uint64_t capacity_bytes) : memory_(capacity_bytes) {}

  // The host memory of a request's arena. Errors: kInvalidArgument if it is not inside one block.
  uint8_t* arena_of(const RunRequest& request) const {
    return memory_.resolve(request.arena, request.arena_bytes);
  }

 private:
  DeviceMemory memory_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_MEMORY_DEVICE_H_
