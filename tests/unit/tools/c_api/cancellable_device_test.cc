// SPDX-License-Identifier: Apache-2.0
#include "tools/c_api/cancellable_device.h"

#include <gtest/gtest.h>

#include <thread>

namespace vta::c_api {
namespace {

// A device whose runs end only when they are stopped, or fail at once.
class EndlessDevice : public driver::Device {
 public:
  driver::DeviceDescription describe() const override { return {}; }
  driver::DeviceAddress allocate(uint64_t) override { return {}; }
  void free(driver::DeviceAddress) override {}
  void copy_in(driver::DeviceAddress, std::span<const uint8_t>) override {}
  void copy_out(std::span<uint8_t>, driver::DeviceAddress) override {}
  hw::Counters run(const driver::RunRequest& request) override {
    if (request.stop == nullptr || fails) fail(ErrorCode::kTimeout, "nothing can stop this run");
    is_running = true;
    while (!*request.stop) std::this_thread::yield();
    fail(ErrorCode::kDevice, "the run was stopped");
  }

  std::atomic<bool> is_running = false;
  bool fails = false;
};

TEST(CancellableDevice, EndsARunInItsStream) {
  EndlessDevice endless;
  std::atomic<bool> cancelled = false;
  CancellableDevice device(endless, cancelled);
  std::thread other([&] {
    while (!endless.is_running) std::this_thread::yield();
    cancelled = true;
  });
  EXPECT_THROW(device.run({}), Cancelled);
  endless.is_running = true;  // ends the thread if the run has failed
  other.join();
  EXPECT_EQ(device.num_actions, 0u);
}

TEST(CancellableDevice, LeavesOtherErrorsAsTheyAre) {
  EndlessDevice failing;
  failing.fails = true;
  const std::atomic<bool> cancelled = false;
  CancellableDevice device(failing, cancelled);
  EXPECT_THROW(device.run({}), Error);
}

}  // namespace
}  // namespace vta::c_api
