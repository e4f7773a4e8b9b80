// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_FLASH_FPGA_MANAGER_H_
#define VTA_DRIVER_FLASH_FPGA_MANAGER_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "driver/linux/system_roots.h"

namespace vta::driver {

// The kernel's way into the FPGA, /sys/class/fpga_manager/fpga0, as linux-xlnx has it (Pynq's
// images): a file among the firmware, and its name written to an attribute.
class FpgaManager {
 public:
  // Errors: kNotFound if the kernel has no manager; kUnsupported if it is one of mainline, where
  // programs cannot load a bitstream, saying what can; both name the state of the FPGA.
  explicit FpgaManager(const SystemRoots& roots);

  // "operating", "unknown", "write error", ...; "unreadable" if the kernel does not say.
  std::string state() const;

  // Loads a whole .bin file (byte_swapped()).
  // Errors: kIo, kDevice: what the kernel said. The states are for who reports it (flash.h).
  void load(std::span<const uint8_t> bin);

 private:
  std::string settled_state() const;

  SystemRoots roots_;
  std::filesystem::path folder_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_FPGA_MANAGER_H_
