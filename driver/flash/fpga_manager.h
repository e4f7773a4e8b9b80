// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_FLASH_FPGA_MANAGER_H_
#define VTA_DRIVER_FLASH_FPGA_MANAGER_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "driver/linux/system_roots.h"

namespace vta::driver {

// The kernel interface for FPGA programming, /sys/class/fpga_manager/fpga0, of linux-xlnx (Pynq's
// images): it loads a firmware file whose name is written to an attribute.
class FpgaManager {
 public:
  // Errors: kNotFound if the kernel has no manager; kUnsupported for the manager of mainline Linux,
  // which cannot load a bitstream from user space (the message says what can); both name the FPGA's
  // state.
  explicit FpgaManager(const SystemRoots& roots);

  // "operating", "unknown", "write error", ...; "unreadable" if the attribute cannot be read.
  std::string state() const;

  // Loads a whole .bin file (byte_swapped()).
  // Errors: kIo, kDevice with the kernel's message. The caller reports the states (flash.h).
  void load(std::span<const uint8_t> bin);

 private:
  std::string settled_state() const;

  SystemRoots roots_;
  std::filesystem::path folder_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_FPGA_MANAGER_H_
