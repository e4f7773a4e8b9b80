// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_SIM_STOPWATCH_H_
#define VTA_TOOLS_SIM_STOPWATCH_H_

#include "base/limits/stopwatch.h"

namespace vta::sim {

// Seconds since the process started (since its static variables were set up, to be exact).
double process_seconds();

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_STOPWATCH_H_
