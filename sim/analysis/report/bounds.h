// SPDX-License-Identifier: Apache-2.0
//
// Bounds: the most that changes of the core could save. The model has one core, so these are
// estimates from the layers' counters and not runs.
#ifndef VTA_SIM_ANALYSIS_REPORT_BOUNDS_H_
#define VTA_SIM_ANALYSIS_REPORT_BOUNDS_H_

#include <cstdint>
#include <vector>

#include "configs/core_config.h"
#include "runtime/session/inference_report.h"
#include "sim/analysis/report/what_if.h"

namespace vta::sim {

// A wider load port, a wider ALU, and an array that multiplies only what counts (what depthwise
// layers lack). A layer saves at most what the change takes from its stage, and takes at least as
// long as its other stages. Changes that save nothing are left out. `measured`: with cycles and
// stages, of `batch` images.
std::vector<WhatIf> bounds(const InferenceReport& measured, const CoreConfig& core, int64_t batch,
                           const MemoryConfig& memory);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_BOUNDS_H_
