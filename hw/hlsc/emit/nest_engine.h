// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_ENGINE_H_
#define VTA_HW_HLSC_EMIT_NEST_ENGINE_H_

#include "hw/hlsc/emit/control_flow.h"

namespace vta::hlsc::emit {

// Writes the engine of a nest: its counters (nest_counters.h) and the pipeline of its body.
//
// A stage holds itself and all younger ones while an operation in it has to wait (nest_holds.h).
// What a stage does to the outside happens when it moves on. What it reads of RAMs is in
// nest_words.h.
void emit_nest(ModuleState& state, const NestEntry& entry);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_ENGINE_H_
