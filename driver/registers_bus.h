// SPDX-License-Identifier: Apache-2.0
//
// What every driver of real registers does with them: see which core it is, and read its counters.
#ifndef VTA_DRIVER_REGISTERS_BUS_H_
#define VTA_DRIVER_REGISTERS_BUS_H_

#include <cstdint>
#include <string>

#include "configs/core_config.h"
#include "driver/device.h"
#include "driver/registers.h"

namespace vta::driver {

// The way to one core's register page: memory that is mapped, a bus in simulation.
class RegisterBus {
 public:
  virtual ~RegisterBus() = default;
  virtual uint32_t read(uint32_t offset) = 0;
  virtual void write(uint32_t offset, uint32_t value) = 0;
};

// A register of 64 bits. Reading takes both halves at the same moment, also of one that counts.
uint64_t read_register64(RegisterBus& bus, uint32_t offset);
void write_register64(RegisterBus& bus, uint32_t offset, uint64_t value);

// The configuration that the hardware reports, named "hardware".
// `name` is that of the device, for messages.
// Errors: kDevice, naming `name`, if there is no core at these registers, or one with another
// version of the map, or one whose configuration is illegal.
CoreConfig read_core_config(RegisterBus& bus, const std::string& name);

// The counters of the last run, with its cycles and those of its stages.
Counters read_counters(RegisterBus& bus);

}  // namespace vta::driver

#endif  // VTA_DRIVER_REGISTERS_BUS_H_
