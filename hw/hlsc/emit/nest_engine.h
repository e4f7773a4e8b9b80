// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_ENGINE_H_
#define VTA_HW_HLSC_EMIT_NEST_ENGINE_H_

#include "hw/hlsc/emit/state_machine.h"

namespace vta::hlsc::emit {

// Writes the engine of a nest: its counters (nest_counters.h) and the pipeline of its body.
//
// A stage holds itself and all younger ones while an operation in it has to wait: for a stream, for
// a RAM's port that another process or an older iteration has, for an older iteration's write of
// the word that it wants to read. What a stage does to the outside happens when it moves on.
// A read that meets an older iteration's write of its word in the same cycle takes the word from
// there, lane by lane, since RAMs give what they held before.
void emit_nest(ModuleState& state, const NestEntry& entry);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_ENGINE_H_
