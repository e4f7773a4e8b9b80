// SPDX-License-Identifier: Apache-2.0
//
// Access to a core's control registers: its configuration, 64-bit registers, counters.
#ifndef VTA_HW_REGISTERS_REGISTER_BUS_H_
#define VTA_HW_REGISTERS_REGISTER_BUS_H_

#include <cstdint>
#include <string>

#include "configs/core_config.h"
#include "hw/registers/counters.h"
#include "hw/registers/registers.h"

namespace vta::hw {

// One core's register page: mapped memory, or a bus in simulation.
class RegisterBus {
 public:
  virtual ~RegisterBus() = default;
  virtual uint32_t read(uint32_t offset) = 0;
  virtual void write(uint32_t offset, uint32_t value) = 0;
};

// A 64-bit register. A read is atomic: the low word latches the high word, also in a running
// counter.
uint64_t read_register64(RegisterBus& bus, uint32_t offset);
void write_register64(RegisterBus& bus, uint32_t offset, uint64_t value);

// The configuration that the hardware reports, under the name "hardware".
// `name`: the device, for messages.
// Errors: kDevice, naming `name`, if there is no core at these registers, its register map has
// another version, or its configuration is illegal.
CoreConfig read_core_config(RegisterBus& bus, const std::string& name);

// The counters of the last run, with its cycles and the cycles of each stage.
Counters read_counters(RegisterBus& bus);

}  // namespace vta::hw

#endif  // VTA_HW_REGISTERS_REGISTER_BUS_H_
