// SPDX-License-Identifier: Apache-2.0
//
// The control registers of hw/rtl/registers in front of a simulator's core: a driver's view of a
// board, without a clock. tests/unit/hw/rtl/board compares the model with the Verilog.
#ifndef VTA_TESTS_SUPPORT_BOARD_REGISTER_MODEL_H_
#define VTA_TESTS_SUPPORT_BOARD_REGISTER_MODEL_H_

#include <map>
#include <span>

#include "hw/registers/register_bus.h"
#include "sim/functional/core_device.h"

namespace vta::support {

// The memory that a core on the bus accesses.
struct BusMemory {
  std::span<uint8_t> bytes;
  uint64_t base = 0;  // address of the first byte
};

class RegisterModel : public hw::RegisterBus {
 public:
  // A `runner` that returns `timed_out` is a core whose run never ends. `clock_hz`: the value of
  // the register of that name.
  RegisterModel(const CoreConfig& core, sim::CoreRunner runner, BusMemory memory,
                uint32_t clock_hz = 100'000'000);

  // A start runs the core to its end before write() returns.
  uint32_t read(uint32_t offset) override;
  void write(uint32_t offset, uint32_t value) override;

  // The contents of the page, which tests may falsify.
  std::map<uint32_t, uint32_t> words;

 private:
  void write64(uint32_t offset, uint64_t value);
  void reset();
  void start();
  void end(const sim::NativeRun& run);
  void set_counters(const hw::Counters& counters);
  void set_stages(const hw::StageCycles& stages);

  sim::CoreRunner runner_;
  BusMemory memory_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_REGISTER_MODEL_H_
