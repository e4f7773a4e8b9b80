// SPDX-License-Identifier: Apache-2.0
//
// RegisterDevice: a core of real registers and memory as a Device. Boards differ in how registers
// and memory are reached only (CoreAccess); what is done with them is written here, once.
#ifndef VTA_DRIVER_REGISTER_DEVICE_H_
#define VTA_DRIVER_REGISTER_DEVICE_H_

#include <memory>
#include <string>

#include "driver/buffer_allocator.h"
#include "driver/device.h"
#include "driver/interrupt_line.h"
#include "hw/registers/register_bus.h"

namespace vta::driver {

struct CoreAccess {
  std::unique_ptr<RegisterBus> registers;
  std::unique_ptr<BufferAllocator> buffers;
  std::unique_ptr<InterruptLine> interrupt = nullptr;  // null: the end of a run is polled for
};

// The core behind `access` for programs of `core`. Its counters, cycles, faults and messages are
// those of the RTL simulator; of a deadlock it knows which stages wait, and the instruction of the
// first only. A bus error is a kDevice error that names the ports.
// Device addresses are addresses on the bus.
// Errors: kDevice, naming `uri`: no core there, a core whose registers say another configuration
// than `core` (with each value that differs), one that does not come out of its reset.
std::unique_ptr<Device> make_register_device(const std::string& uri, const CoreConfig& core,
                                             CoreAccess access);

// Errors: kDevice, naming `name`, if the registers' configuration is not `core`; names each value
// that differs.
void check_core(RegisterBus& registers, const std::string& name, const CoreConfig& core);

}  // namespace vta::driver

#endif  // VTA_DRIVER_REGISTER_DEVICE_H_
