// SPDX-License-Identifier: Apache-2.0
//
// The control registers of hw/rtl/registers in front of a simulator's core: what a driver meets on
// a board, without a clock. tests/unit/hw_board holds the model and the Verilog against each other.
#ifndef VTA_TESTS_SUPPORT_BOARD_REGISTER_MODEL_H_
#define VTA_TESTS_SUPPORT_BOARD_REGISTER_MODEL_H_

#include <map>
#include <span>

#include "driver/registers_bus.h"
#include "sim/functional/core_device.h"

namespace vta::support {

// The memory that a core on the bus reaches.
struct BusMemory {
  std::span<uint8_t> bytes;
  uint64_t base = 0;  // address of the first one
};

class RegisterModel : public driver::RegisterBus {
 public:
  // A `runner` that says `timed_out` is a core that never ends its run. `clock_hz` is what the
  // register of that name says.
  RegisterModel(const CoreConfig& core, sim::CoreRunner runner, BusMemory memory,
                uint32_t clock_hz = 100'000'000);

  // A start runs the core to its end before write() returns.
  uint32_t read(uint32_t offset) override;
  void write(uint32_t offset, uint32_t value) override;

  // What the page holds, to be told lies.
  std::map<uint32_t, uint32_t> words;

 private:
  void write64(uint32_t offset, uint64_t value);
  void reset();
  void start();
  void end(const sim::NativeRun& run);
  void set_counters(const driver::Counters& counters);
  void set_stages(const driver::StageCycles& stages);

  sim::CoreRunner runner_;
  BusMemory memory_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_REGISTER_MODEL_H_
