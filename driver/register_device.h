// SPDX-License-Identifier: Apache-2.0
//
// RegisterDevice: the Device of a hardware core with registers and memory. Boards differ only in
// the access to registers and memory (CoreAccess); the protocol is implemented here.
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
  std::unique_ptr<hw::RegisterBus> registers;
  std::unique_ptr<BufferAllocator> buffers;
  std::unique_ptr<InterruptLine> interrupt = nullptr;  // null: poll for the end of a run
};

// Opens the core of `access` for programs of `core`. Counters, cycles, faults and messages equal
// the RTL simulator's; for a deadlock, the device reports which stages wait but the
// instruction of the first one only. A bus error is a kDevice error that names the ports. Device
// addresses are bus addresses. Errors: kDevice, naming `uri`, if there is no core, if its registers
// report another configuration than `core` (naming each value that differs), or if it does not
// leave reset.
std::unique_ptr<Device> make_register_device(const std::string& uri, const CoreConfig& core,
                                             CoreAccess access);

// Checks that the registers report the configuration `core`.
// Errors: kDevice with `name` and each value that differs.
void check_core(hw::RegisterBus& registers, const std::string& name, const CoreConfig& core);

}  // namespace vta::driver

#endif  // VTA_DRIVER_REGISTER_DEVICE_H_
