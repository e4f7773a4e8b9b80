// SPDX-License-Identifier: Apache-2.0
//
// Multiply-accumulates (MACs) of a network's layers as papers count them: without the work
// that a core adds (padding to blocks, zeros next to the diagonal of narrow groups).
#ifndef VTA_RUNTIME_PROGRAM_MACS_H_
#define VTA_RUNTIME_PROGRAM_MACS_H_

#include <cstdint>

#include "runtime/program/program.h"

namespace vta {

// MACs of one image in a step on the host or the core; 0 for an operator without products.
uint64_t macs_of(const Program& program, const ProgramStep& step);

// MACs of an operator over all images, from its first operand and its result; 0 without products.
uint64_t macs_of(OpKind kind, const OpAttrs& attrs, const TensorType& src, const TensorType& dst);

struct MacSums {
  uint64_t all = 0, on_core = 0;
};
MacSums macs_of(const Program& program);
double percent_on_core(const MacSums& macs);  // 100 for a network without MACs

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_MACS_H_
