// SPDX-License-Identifier: Apache-2.0
//
// DeviceSlot: the device of a server, used on the device's thread. It is opened on first use, and
// reopened after flashing.
#ifndef VTA_RUNTIME_RPC_DEVICE_SLOT_H_
#define VTA_RUNTIME_RPC_DEVICE_SLOT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "driver/device.h"
#include "runtime/rpc/bitstream.h"

namespace vta::rpc {

class DeviceSlot {
 public:
  using Open = std::function<std::unique_ptr<driver::Device>()>;

  // `flash` may be empty.
  DeviceSlot(Open open, Flash flash) : open_(std::move(open)), flash_(std::move(flash)) {}

  // Errors: any error of opening the device, at each call until it succeeds.
  driver::Device& device();

  // The number of blocks of device memory of all clients, and what they count for.
  uint64_t live_blocks = 0, client_bytes = 0;

  bool can_flash() const { return flash_ != nullptr; }
  // Errors: kUnsupported if this server cannot flash; kInvalidArgument while clients have device
  // memory; any error of the hook and of reopening the device.
  std::string flash(const Bitstream& bitstream);

 private:
  const Open open_;
  const Flash flash_;
  std::unique_ptr<driver::Device> device_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_DEVICE_SLOT_H_
