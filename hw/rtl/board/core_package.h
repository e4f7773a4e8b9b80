// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_RTL_BOARD_CORE_PACKAGE_H_
#define VTA_HW_RTL_BOARD_CORE_PACKAGE_H_

#include <string>

#include "configs/core_config.h"

namespace vta::board {

// The text of vta_core_pkg.sv: the core's configuration as constants. Errors: kUnsupported: pixel
// pairs, which no register tells.
std::string core_package(const CoreConfig& core);

}  // namespace vta::board

#endif  // VTA_HW_RTL_BOARD_CORE_PACKAGE_H_
