// SPDX-License-Identifier: Apache-2.0
//
// BoardConfig: FPGA, clocks and addresses of a board, for building and loading bitstreams. The only
// reader of configs/boards/*.json.
#ifndef VTA_CONFIGS_BOARD_CONFIG_H_
#define VTA_CONFIGS_BOARD_CONFIG_H_

#include <cstdint>
#include <string>

namespace vta {

struct BoardConfig {
  std::string name;
  std::string part;                // of the FPGA, with package and speed: "xc7z020clg400-1"
  std::string core;                // in its bitstream: a name of configs/cores
  uint32_t clock_hz = 0;           // the core's clock, met with margin
  uint32_t fast_clock_hz = 0;      // the core's clock in the fast variant
  uint32_t ps_clock_hz = 0;        // the crystal of the processing system
  uint32_t memory_bytes = 0;       // DDR, from bus address 0 on
  uint32_t arena_limit_bytes = 0;  // contiguous memory available in its Linux
  uint32_t registers_base = 0;     // bus address of the core's registers
  uint32_t registers_bytes = 0;    // of the decoded address window
};

// All keys are required; unknown keys are rejected.
// Errors: kCorrupt, kInvalidArgument: name `origin`, the key, its value and the limit.
BoardConfig parse_board_config(const std::string& json_text, const std::string& origin);

// Loads the board `name`: a path to a JSON file, or a bare name ("pynq-z1") of configs/boards.
// Errors: kNotFound, listing the installed names; any error of parse_board_config().
BoardConfig load_board_config(const std::string& name);

}  // namespace vta

#endif  // VTA_CONFIGS_BOARD_CONFIG_H_
