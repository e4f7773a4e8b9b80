// SPDX-License-Identifier: Apache-2.0
//
// The first access to a core's registers. An access to an FPGA that is not configured, or whose
// clock stands still, stops the processor for ever. A design without a slave at the address answers
// with a bus error, and another design's registers must not be written.
#ifndef VTA_DRIVER_LINUX_FIRST_ACCESS_H_
#define VTA_DRIVER_LINUX_FIRST_ACCESS_H_

#include <memory>
#include <string>

#include "driver/linux/mapped_registers.h"
#include "driver/linux/system_roots.h"

namespace vta::driver {

// Checks that an access to the FPGA gets an answer. Uses what this machine tells without one: the
// state of the kernel's FPGA manager, the processing system's DONE bit and the gate of FCLK0. The
// last two need a Zynq and /dev/mem, and DONE also a configuration port whose clock runs. What
// cannot be read is not checked. Errors: kDevice, naming `place`, what was read, and the cure.
void require_programmed(const SystemRoots& roots, const std::string& place);

// require_programmed(), and a guarded read of the magic at a physical address if this is a Zynq and
// the process may read physical memory: for accesses that cannot be guarded themselves.
// Errors: as open_core_registers().
void check_core_at(uint64_t address, const std::string& place, const SystemRoots& roots = {});

// The registers of a core, after require_programmed() and a read of the magic alone.
// Errors: any of require_programmed(); kDevice if the bus answers with an error or the magic is not
// a core's; both say what may be loaded instead and the cure.
std::unique_ptr<MappedRegisters> open_core_registers(Mapping mapping, FileDescriptor file,
                                                     const SystemRoots& roots,
                                                     const std::string& place);

// Likewise at a physical address, by /dev/mem. Errors: also kNotFound and kIo if it cannot be
// opened.
std::unique_ptr<MappedRegisters> open_core_registers(uint64_t address, const SystemRoots& roots);

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_FIRST_ACCESS_H_
