// SPDX-License-Identifier: Apache-2.0
//
// The core tiny_1x8 with the schedule for 125 MHz instead of 100 MHz.
#ifndef VTA_TESTS_UNIT_SIM_CYCLE_CORE_AT_8_NS_H_
#define VTA_TESTS_UNIT_SIM_CYCLE_CORE_AT_8_NS_H_

#include <memory>

#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "sim/timed/timed_core.h"

namespace vta::sim {

// `config` is that of tiny_1x8, with or without the extension. Otherwise as make_rtl_core() and
// make_cycle_core().
std::unique_ptr<TimedCore> make_rtl_core_at_8_ns(const CoreConfig& config,
                                                 const MemoryConfig& memory);
std::unique_ptr<TimedCore> make_cycle_core_at_8_ns(const CoreConfig& config,
                                                   const MemoryConfig& memory, bool computes);

}  // namespace vta::sim

#endif  // VTA_TESTS_UNIT_SIM_CYCLE_CORE_AT_8_NS_H_
