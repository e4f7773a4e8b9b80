// SPDX-License-Identifier: Apache-2.0
//
// CancellableDevice: a session's view of a shared device, whose calls end when the session is
// cancelled: a run within its instruction stream, if the device can stop one.
#ifndef VTA_TOOLS_C_API_CANCELLABLE_DEVICE_H_
#define VTA_TOOLS_C_API_CANCELLABLE_DEVICE_H_

#include <atomic>

#include "driver/device.h"
#include "tools/c_api/status.h"

namespace vta::c_api {

class CancellableDevice : public driver::Device {
 public:
  // Both outlive this object.
  CancellableDevice(driver::Device& device, const std::atomic<bool>& cancelled)
      : device_(device), cancelled_(cancelled) {}

  void throw_if_cancelled() const {
    if (cancelled_) throw Cancelled();
  }

  driver::DeviceDescription describe() const override { return device_.describe(); }
  driver::DeviceAddress allocate(uint64_t size_bytes) override {
    return device_.allocate(size_bytes);
  }
  void free(driver::DeviceAddress address) override { device_.free(address); }
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    throw_if_cancelled();
    device_.copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    throw_if_cancelled();
    device_.copy_out(dst, src);
  }
  hw::Counters run(const driver::RunRequest& request) override {
    throw_if_cancelled();
    driver::RunRequest stoppable = request;
    stoppable.stop = &cancelled_;
    try {
      const hw::Counters counters = device_.run(stoppable);
      ++num_actions;
      return counters;
    } catch (const Error&) {
      throw_if_cancelled();  // the device's error says only that the run was stopped
      throw;
    }
  }

  std::atomic<size_t> num_actions = 0;  // runs that have ended, and what the caller adds

 private:
  driver::Device& device_;
  const std::atomic<bool>& cancelled_;
};

}  // namespace vta::c_api

#endif  // VTA_TOOLS_C_API_CANCELLABLE_DEVICE_H_
