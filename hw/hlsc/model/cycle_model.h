// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_CYCLE_MODEL_H_
#define VTA_HW_HLSC_MODEL_CYCLE_MODEL_H_

#include <string>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::model {

// The cycle model: a C++ header with one struct, `name` (or <design>Model, if that is ""), whose
// processes (sim/process_network) take the same cycles as the Verilog of the same schedule. It
// computes only the slice of the design that timing depends on (slice.h), and the registers visible
// outside. Its members are the objects of the design (register_x, stream_x, ...); RAMs are in a
// struct of their own, because they outlive a run. `schedule` and `binding` are those of `design`.
std::string cycle_model(const ir::Design& design, const schedule::Schedule& schedule,
                        const bind::Binding& binding, const std::string& name);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_CYCLE_MODEL_H_
