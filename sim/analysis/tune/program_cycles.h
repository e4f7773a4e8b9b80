// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_ANALYSIS_TUNE_PROGRAM_CYCLES_H_
#define VTA_SIM_ANALYSIS_TUNE_PROGRAM_CYCLES_H_

#include <chrono>
#include <cstdint>

#include "driver/device.h"
#include "runtime/program/program.h"

namespace vta::sim {

// The cycles of all streams of the core in one inference, without the host's part. The device
// counts cycles, and need not compute. `timeout`: of each stream. Errors: as Device::run().
uint64_t program_cycles(const Program& program, driver::Device& device,
                        std::chrono::milliseconds timeout = driver::RunRequest().timeout);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_PROGRAM_CYCLES_H_
