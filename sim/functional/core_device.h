// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_FUNCTIONAL_CORE_DEVICE_H_
#define VTA_SIM_FUNCTIONAL_CORE_DEVICE_H_

#include <functional>
#include <memory>
#include <string>

#include "driver/device.h"
#include "sim/functional/native_core.h"

namespace vta::sim {

// Runs `count` instructions of an arena, as NativeCore::run() does.
using CoreRunner = std::function<NativeRun(
    uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
    std::chrono::steady_clock::time_point deadline, core::Observer* observer)>;

// A device whose memory is the host's and whose core is `runner`. `timed`: its counters have
// cycles. Before a run the request is checked; two stages that touch one element without a token
// between them are reported if `runner` tells an observer. Looking for them is part of the run's
// time, and programs with split instructions have a limit (race_checker.h).
std::unique_ptr<driver::Device> make_core_device(const std::string& uri, const CoreConfig& core,
                                                 bool timed, CoreRunner runner);

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_CORE_DEVICE_H_
