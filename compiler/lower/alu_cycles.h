// SPDX-License-Identifier: Apache-2.0
//
// The ALU's time for a micro-op and for an instruction.
#ifndef VTA_COMPILER_LOWER_ALU_CYCLES_H_
#define VTA_COMPILER_LOWER_ALU_CYCLES_H_

#include <algorithm>
#include <cstdint>

#include "configs/core_sizes.h"

namespace vta::lower {

// Cycles of an instruction beyond its micro-ops. An estimate.
inline constexpr double kAluOverheadCycles = 14;

// Cycles of a micro-op. `reads_source`: it reads a second element of ACC, which is not the source
// of the micro-op before. The second read is hidden by the cycles of a folded ALU.
inline int64_t alu_uop_cycles(const CoreSizes& core, bool reads_source) {
  return std::max<int64_t>(core.alu_folding, reads_source ? 2 : 1);
}

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_ALU_CYCLES_H_
