// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/device_slot.h"

namespace vta::rpc {

driver::Device& DeviceSlot::device() {
  if (device_ == nullptr) device_ = open_();
  return *device_;
}

std::string DeviceSlot::flash(const Bitstream& bitstream) {
  if (!can_flash()) fail(ErrorCode::kUnsupported, "flash: this server cannot program an FPGA");
  if (live_blocks > 0) {
    fail(ErrorCode::kInvalidArgument,
         "flash: clients hold {} blocks of device memory, expected none", live_blocks);
  }
  device_.reset();  // no register access while the core is replaced
  const std::string done = flash_(bitstream);
  device();
  return done;
}

}  // namespace vta::rpc
