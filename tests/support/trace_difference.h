// SPDX-License-Identifier: Apache-2.0
//
// Where two records of one program's run part.
#ifndef VTA_TESTS_SUPPORT_TRACE_DIFFERENCE_H_
#define VTA_TESTS_SUPPORT_TRACE_DIFFERENCE_H_

#include <span>
#include <string>

#include "hw/isa/instruction.h"
#include "sim/timed/run_trace.h"

namespace vta::support {

// The first instruction, by the earlier of its two times, that a process does at another time in
// `model` than in `rtl`, with both times, its disassembly and the first wait of that process that
// differs; where all instructions agree, the first wait, token or master's beats that do not; ""
// where nothing differs.
std::string first_difference(const sim::RunTrace& rtl, const sim::RunTrace& model,
                             std::span<const isa::InstructionBits> stream,
                             const CoreConfig& config);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_TRACE_DIFFERENCE_H_
