// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_FUNCTIONAL_CORE_DEVICE_H_
#define VTA_SIM_FUNCTIONAL_CORE_DEVICE_H_

#include <functional>
#include <memory>
#include <string>

#include "driver/device.h"
#include "sim/functional/native_core.h"

namespace vta::sim {

// Runs `count` instructions of an arena, as NativeCore::run().
using CoreRunner =
    std::function<NativeRun(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes,
                            uint32_t count, const Deadline& deadline)>;

// Creates a device with host memory that runs programs with `runner`. `timed`: its counters have
// cycles. Each request is checked first, and so is the program. A race or an unloaded micro-op
// (runtime/program/stream_races.h) is an error of the run, kDevice, even if the run ends in a fault
// or a timeout, whose message then names both. The check is part of the run's time.
std::unique_ptr<driver::Device> make_core_device(const std::string& uri, const CoreConfig& core,
                                                 bool timed, CoreRunner runner);

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_CORE_DEVICE_H_
