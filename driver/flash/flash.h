// SPDX-License-Identifier: Apache-2.0
//
// Programs a board's FPGA and checks the result.
#ifndef VTA_DRIVER_FLASH_FLASH_H_
#define VTA_DRIVER_FLASH_FLASH_H_

#include <cstdint>
#include <span>
#include <string>

#include "configs/board_config.h"
#include "configs/core_config.h"
#include "driver/linux/system_roots.h"

namespace vta::driver {

// The state of the FPGA after flashing.
struct FlashReport {
  std::string design, part, date, time;  // of the bitstream; empty if none was loaded
  std::string state_before;              // of the FPGA manager; likewise
  CoreConfig core;                       // from its registers
  uint32_t clock_hz = 0;                 // target clock of the core
  double fclk0_hz = 0;                   // actual clock
};

// Loads a .bit file (its contents; `origin` names it in messages) into this machine's FPGA. Checks
// its header against the board, loads it with the FPGA manager, sets the core's clock to the
// frequency in its registers, and checks that the registers report `core`. Errors, each with the
// FPGA's state before and after: kCorrupt for an invalid or truncated file; kInvalidArgument for
// another part; any error of FpgaManager and ProcessingSystem; kDevice if the core is missing or
// not `core`.
FlashReport flash(const BoardConfig& board, const CoreConfig& core,
                  std::span<const uint8_t> bit_file, const std::string& origin,
                  const SystemRoots& roots = {});

// The core of the design that is already loaded, its clock and FCLK0; changes nothing. Errors:
// kDevice if the core is missing, not `core`, or its clock is stopped.
FlashReport read_loaded(const BoardConfig& board, const CoreConfig& core,
                        const SystemRoots& roots = {});

// Configures the design that is already loaded: sets the widths of the HP ports, checks the core,
// sets its clock.
FlashReport configure_loaded(const BoardConfig& board, const CoreConfig& core,
                             const SystemRoots& roots = {});

// A few lines of text.
std::string to_text(const FlashReport& report);

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_FLASH_H_
