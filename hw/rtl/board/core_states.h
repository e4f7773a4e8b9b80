// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_RTL_BOARD_CORE_STATES_H_
#define VTA_HW_RTL_BOARD_CORE_STATES_H_

#include <string>

namespace vta::board {

// The text of vta_core_states.sv, from hw/core/processes.def. The tool `board_verilog` prints it; a
// test compares it with the file.
std::string core_states_module();

}  // namespace vta::board

#endif  // VTA_HW_RTL_BOARD_CORE_STATES_H_
