// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_SIM_MADE_BY_H_
#define VTA_TOOLS_SIM_MADE_BY_H_

#include <string>

namespace vta::sim {

// What a page says of its making: "vta-sim 1.0.0, 2026-11-30 17:40 UTC: vta-sim report
// digits.json".
std::string made_by();

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_MADE_BY_H_
