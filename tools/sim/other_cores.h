// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_SIM_OTHER_CORES_H_
#define VTA_TOOLS_SIM_OTHER_CORES_H_

#include <memory>

#include "sim/timed/timed_core.h"

namespace vta::sim {

// The cycle model of a core that the program was not built with, scheduled for 100 MHz like those
// of the build: built, or found in the user's cache folder. Only for vta-sim (model_cache.h).
// Errors: of cache_folder(), find_model_tools() and ModelCache, naming the core.
std::unique_ptr<TimedCore> make_other_core(const CoreConfig& core, const MemoryConfig& memory,
                                           bool computes);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_OTHER_CORES_H_
