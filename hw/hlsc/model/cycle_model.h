// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_CYCLE_MODEL_H_
#define VTA_HW_HLSC_MODEL_CYCLE_MODEL_H_

#include <string>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::model {

// A C++ header with one struct, `name` (or <design>Model, if that is ""): the design's processes in
// time (sim/process_network), cycle by cycle what the Verilog of the same schedule does. It
// computes what time depends on, and the registers that are there for the outside. Its members are
// the objects of the design (register_x, stream_x,
// ...); RAMs are in a struct of their own, since they outlive a run. Errors: kUnsupported for what
// sim/process_network has no part for.
std::string cycle_model(const ir::Design& design, const schedule::Schedule& schedule,
                        const bind::Binding& binding, const std::string& name);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_CYCLE_MODEL_H_
