// SPDX-License-Identifier: Apache-2.0
//
// A device with one arena that runs programs in assembly.
#ifndef VTA_TESTS_UNIT_SIM_RTL_MACHINE_H_
#define VTA_TESTS_UNIT_SIM_RTL_MACHINE_H_

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "driver/device.h"
#include "hw/isa/instruction.h"

namespace vta::sim {

class Machine {
 public:
  static constexpr uint64_t kArenaBytes = 32768;
  static constexpr uint64_t kProgramOffset = 4096;

  // `uri`: "functional", "rtl" or "lockstep:..." with the registered devices.
  explicit Machine(const std::string& uri, const std::string& core = "tiny_1x8");

  void write(uint64_t offset_bytes, std::span<const uint8_t> bytes);
  void write_uops(uint64_t offset_bytes, const std::vector<isa::Uop>& uops);
  std::vector<uint8_t> read(uint64_t offset_bytes, size_t size_bytes);

  hw::Counters run(const std::string& assembly,
                   std::chrono::milliseconds timeout = std::chrono::seconds(60),
                   const std::atomic<bool>* stop = nullptr);
  // The message of the Error of a program.
  std::string fault_of(const std::string& assembly, int timeout_ms = 60'000);

  const CoreConfig& config() const { return config_; }
  driver::Device& device() { return *device_; }

 private:
  CoreConfig config_;
  std::unique_ptr<driver::Device> device_;
  driver::DeviceAddress arena_;
};

}  // namespace vta::sim

#endif  // VTA_TESTS_UNIT_SIM_RTL_MACHINE_H_
