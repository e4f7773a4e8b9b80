// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_RUNTIME_RPC_SLOW_DEVICE_H_
#define VTA_TESTS_UNIT_RUNTIME_RPC_SLOW_DEVICE_H_

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "driver/device.h"
#include "tests/support/tiny_program.h"

namespace vta::rpc {

// A device whose runs wait until the test releases them; the n-th run returns n in gemm_counter. If
// the test says so, they also end when they are stopped.
class SlowDevice : public driver::Device {
 public:
  struct Control {
    std::mutex mutex;
    std::condition_variable changed;
    int started = 0, allowed = 0;
    bool heeds_stop = false;
    std::atomic<int> stopped = 0;
    std::atomic<int> live_blocks = 0;

    void wait_for_start(int count) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return started >= count; });
    }
    void allow(int count) {
      {
        const std::lock_guard lock(mutex);
        allowed += count;
      }
      changed.notify_all();
    }
  };
  explicit SlowDevice(Control& control) : control_(control) {}
  driver::DeviceDescription describe() const override {
    return {"slow", support::TinyProgram::core()};
  }
  driver::DeviceAddress allocate(uint64_t) override {
    ++control_.live_blocks;
    return {next_ += driver::kArenaAlignmentBytes};
  }
  void free(driver::DeviceAddress) override { --control_.live_blocks; }
  void copy_in(driver::DeviceAddress, std::span<const uint8_t>) override {}
  void copy_out(std::span<uint8_t>, driver::DeviceAddress) override {}
  hw::Counters run(const driver::RunRequest& request) override {
    std::unique_lock lock(control_.mutex);
    const int mine = ++control_.started;
    control_.changed.notify_all();
    while (control_.allowed < mine) {
      control_.changed.wait_for(lock, std::chrono::milliseconds(1));
      if (!control_.heeds_stop || !*request.stop) continue;
      ++control_.stopped;
      fail(ErrorCode::kDevice, "the run was stopped");
    }
    hw::Counters counters;
    counters.gemm_counter = static_cast<uint64_t>(mine);
    return counters;
  }

 private:
  Control& control_;
  uint64_t next_ = 0;
};

}  // namespace vta::rpc

#endif  // VTA_TESTS_UNIT_RUNTIME_RPC_SLOW_DEVICE_H_
