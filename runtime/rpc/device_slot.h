// SPDX-License-Identifier: Apache-2.0
//
// DeviceSlot: the one device that a server serves, on the thread that uses it. It is opened when it
// is first asked for, and anew after a bitstream was flashed.
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

  // Errors: those of opening it, at each call until it succeeds.
  driver::Device& device();

  // How many blocks of device memory all clients together have.
  uint64_t live_blocks = 0;

  bool can_flash() const { return flash_ != nullptr; }
  // Errors: kUnsupported if this server cannot; kInvalidArgument while there are live blocks; those
  // of the hook and of opening the device again.
  std::string flash(const Bitstream& bitstream);

 private:
  const Open open_;
  const Flash flash_;
  std::unique_ptr<driver::Device> device_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_DEVICE_SLOT_H_
