// SPDX-License-Identifier: Apache-2.0
//
// The rows of a profile before anything is measured.
#ifndef VTA_TOOLS_SIM_PROFILE_ROWS_H_
#define VTA_TOOLS_SIM_PROFILE_ROWS_H_

#include "runtime/host/executor.h"
#include "runtime/program/program.h"
#include "tools/sim/profile.h"

namespace vta::sim {

// A step of a program. Types on the core are packed, with weights and bias.
ProfileRow describe(const Program& program, const ProgramStep& step);

// A layer in fp32.
ProfileRow describe(const host::ExecutedLayer& layer);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_PROFILE_ROWS_H_
