// SPDX-License-Identifier: Apache-2.0
//
// The first difference of two records of one program's run.
#ifndef VTA_TESTS_SUPPORT_TRACE_DIFFERENCE_H_
#define VTA_TESTS_SUPPORT_TRACE_DIFFERENCE_H_

#include <span>
#include <string>

#include "hw/isa/instruction.h"
#include "sim/timed/run_trace.h"

namespace vta::support {

// Describes the instruction with the earliest difference between `model` and `rtl`: both times, its
// disassembly and the first wait of its process that differs. If all instructions agree, the first
// wait, token or master's beats that differ; "" if nothing differs.
std::string first_difference(const sim::RunTrace& rtl, const sim::RunTrace& model,
                             std::span<const isa::InstructionBits> stream,
                             const CoreConfig& config);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_TRACE_DIFFERENCE_H_
