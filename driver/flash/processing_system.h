// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_FLASH_PROCESSING_SYSTEM_H_
#define VTA_DRIVER_FLASH_PROCESSING_SYSTEM_H_

#include <cstdint>

#include "driver/linux/file_descriptor.h"
#include "driver/linux/system_roots.h"

namespace vta::driver {

// Registers of a Zynq-7000's processing system that a bitstream depends on and does not set: the
// clock of its logic, and the width of the ports to memory. Physical memory must be open to
// programs (/dev/mem without STRICT_DEVMEM), and needs root.
class ProcessingSystem {
 public:
  // `ps_clock_hz`: the board's crystal. Errors: kNotFound, kIo if /dev/mem is not to be had.
  ProcessingSystem(const SystemRoots& roots, uint32_t ps_clock_hz);

  // Of FCLK0, as its registers say: a PLL's frequency through two dividers.
  double fclk0_hz() const;

  // The fastest clock that is not above `hz`. Errors: kUnsupported if the nearest one is more than
  // 1 % below it; kDevice if the registers do not keep it.
  void set_fclk0(uint32_t hz);

  // HP port `port` (0 to 3) of 64 bits, both ways; 32 is what some images leave.
  // Errors: kDevice if the registers do not keep it.
  void widen_port(uint32_t port);

 private:
  double pll_hz() const;
  uint32_t control() const;

  FileDescriptor memory_;
  Mapping clocks_, ports_;
  uint32_t ps_clock_hz_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_PROCESSING_SYSTEM_H_
