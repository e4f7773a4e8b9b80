// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/device_slot.h"

namespace vta::rpc {

driver::Device& DeviceSlot::device() {
  if (device_ == nullptr) device_ = open_();
  return *device_;
}

std::string DeviceSlot::flash(const Bitstream& bitstream) {
  if (!can_flash()) fail(ErrorCode::kUnsupported, "flash: this server programs no FPGA");
  if (live_blocks > 0) {
    fail(ErrorCode::kInvalidArgument,
         "flash: clients have {} blocks of device memory, there must be none", live_blocks);
  }
  device_.reset();  // nobody reads registers of a core that is being replaced
  const std::string done = flash_(bitstream);
  device();
  return done;
}

}  // namespace vta::rpc
