// SPDX-License-Identifier: Apache-2.0
//
// Programming a board's FPGA, and making sure that it worked.
#ifndef VTA_DRIVER_FLASH_FLASH_H_
#define VTA_DRIVER_FLASH_FLASH_H_

#include <cstdint>
#include <span>
#include <string>

#include "configs/board_config.h"
#include "configs/core_config.h"
#include "driver/linux/system_roots.h"

namespace vta::driver {

// What is in the FPGA now.
struct FlashReport {
  std::string design, part, date, time;  // of the bitstream; empty if none was loaded
  std::string state_before;              // of the FPGA manager; likewise
  CoreConfig core;                       // as its registers say
  uint32_t clock_hz = 0;                 // that the core was built for
  double fclk0_hz = 0;                   // that it has
};

// Loads a .bit file (its whole contents; `origin` names it in messages) into this machine's FPGA:
// checks its header against the board, loads it by the FPGA manager, gives the core the clock that
// its registers ask for, and confirms that they say `core`.
// Errors, each with the FPGA's state before and now: kCorrupt for a file that is none or cut off;
// kInvalidArgument for another part; those of FpgaManager and ProcessingSystem; kDevice for a core
// that is not there, or not `core`.
FlashReport flash(const BoardConfig& board, const CoreConfig& core,
                  std::span<const uint8_t> bit_file, const std::string& origin,
                  const SystemRoots& roots = {});

// The last part alone, for what is in the FPGA already: widths of the HP ports, the core confirmed,
// its clock.
FlashReport configure_loaded(const BoardConfig& board, const CoreConfig& core,
                             const SystemRoots& roots = {});

// For people, a few lines.
std::string to_text(const FlashReport& report);

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_FLASH_H_
