// SPDX-License-Identifier: Apache-2.0
//
// Legalized designs of the repository.
#ifndef VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_COMPILED_H_
#define VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_COMPILED_H_

#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc {

// The files of tests/hls/kernels without their ending, sorted.
std::vector<std::string> kernel_names();
// Changed for a schedule with these options (fit_period.h), if it needs to be; also the core.
ir::Design compile_kernel(const std::string& name, const schedule::Options& options = {});

// The core of configs/cores/<name>.json.
ir::Design compile_core(const std::string& name, const schedule::Options& options = {});

}  // namespace vta::hlsc

#endif  // VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_COMPILED_H_
