// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_FLASH_PROCESSING_SYSTEM_H_
#define VTA_DRIVER_FLASH_PROCESSING_SYSTEM_H_

#include <cstdint>

#include "driver/linux/file_descriptor.h"
#include "driver/linux/system_roots.h"

namespace vta::driver {

// The registers of a Zynq-7000's processing system that a design depends on but its bitstream does
// not set: the clock of the logic and the width of the memory ports. Needs root and access to
// physical memory (/dev/mem without STRICT_DEVMEM).
class ProcessingSystem {
 public:
  static constexpr uint32_t kPorts =
      4;  // HP0 to HP3; which of them a design uses is its own choice

  // `ps_clock_hz`: the board's crystal. Errors: kNotFound, kIo if /dev/mem cannot be opened.
  ProcessingSystem(const SystemRoots& roots, uint32_t ps_clock_hz);

  // The frequency of FCLK0 according to its registers: a PLL's frequency divided by two dividers.
  double fclk0_hz() const;

  // Sets the fastest clock not above `hz`, and starts it. Errors: kUnsupported if it is more than 1
  // % below `hz`; kDevice if the registers do not keep the value.
  void set_fclk0(uint32_t hz);

  // The same, however far below `hz` it is. Errors: kUnsupported if the PLL has no clock below
  // `hz`; kDevice if the registers do not keep the value.
  void set_fclk0_at_most(uint32_t hz);

  // Starts FCLK0 if Linux has stopped it. Errors: kDevice if the register does not keep the value.
  void start_fclk0();

  // Sets HP port `port` (0 to 3) to 64 bits in both directions; some images leave it at 32.
  // Errors: kDevice if the registers do not keep the value.
  void widen_port(uint32_t port);

 private:
  double pll_hz() const;
  uint32_t control() const;
  void write_clock(uint32_t offset, uint32_t value);

  FileDescriptor memory_;
  Mapping clocks_, ports_;
  uint32_t ps_clock_hz_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_PROCESSING_SYSTEM_H_
