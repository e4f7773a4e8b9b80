// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_KEPT_VALUES_H_
#define VTA_HW_HLSC_EMIT_KEPT_VALUES_H_

#include "hw/hlsc/emit/module_state.h"

namespace vta::hlsc::emit {

// Liveness across states and stages: adds to `state.demands` every value that must outlive the
// state or stage that computes it, before anything is built. A value is needed where an operation,
// a transition, a counter or a stall condition uses it, or another kept value is computed from it.
//
// The rest of `state` is used as scratch.
void find_kept_values(ModuleState& state);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_KEPT_VALUES_H_
