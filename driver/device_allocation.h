// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_DEVICE_ALLOCATION_H_
#define VTA_DRIVER_DEVICE_ALLOCATION_H_

#include <cstdint>
#include <exception>

#include "driver/device.h"

namespace vta::driver {

// Device memory that is freed with this object; the device must outlive it. Errors of free(), for
// example from a lost board or server, are ignored.
class DeviceAllocation {
 public:
  // Errors: any error of Device::allocate().
  DeviceAllocation(Device& device, uint64_t size_bytes)
      : device_(device), address_(device.allocate(size_bytes)) {}
  ~DeviceAllocation() {
    try {
      device_.free(address_);
    } catch (const std::exception&) {  // the next use of the device reports it
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
