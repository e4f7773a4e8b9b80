// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_DEVICE_ALLOCATION_H_
#define VTA_DRIVER_DEVICE_ALLOCATION_H_

#include <cstdint>
#include <exception>

#include "driver/device.h"

namespace vta::driver {

// Device memory for as long as this lives; the device outlives it. A device that cannot take it
// back any more, because its board or its server is gone, keeps nobody from ending.
class DeviceAllocation {
 public:
  // Errors: those of Device::allocate().
  DeviceAllocation(Device& device, uint64_t size_bytes)
      : device_(device), address_(device.allocate(size_bytes)) {}
  ~DeviceAllocation() {
    try {
      device_.free(address_);
    } catch (const std::exception&) {  // who uses the device next hears of it
    }
  }
  DeviceAllocation(const DeviceAllocation&) = delete;
  DeviceAllocation& operator=(const DeviceAllocation&) = delete;

  DeviceAddress address() const { return address_; }
  DeviceAddress at(uint64_t offset_bytes) const { return {address_.bytes + offset_bytes}; }

 private:
  Device& device_;
  const DeviceAddress address_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_DEVICE_ALLOCATION_H_
