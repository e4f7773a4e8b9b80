// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_ENGINE_H_
#define VTA_HW_HLSC_EMIT_NEST_ENGINE_H_

#include "hw/hlsc/emit/control_flow.h"

namespace vta::hlsc::emit {

// Adds the engine of a nest to the module: its counters (nest_counters.h) and the pipeline of its
// body.
//
// A stage whose operation has to wait stalls itself and all earlier stages (nest_stalls.h). The
// effects of a stage happen when its iteration advances. For the words that it reads from RAMs see
// nest_words.h.
void emit_nest(ModuleState& state, const NestEntry& entry);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_ENGINE_H_
