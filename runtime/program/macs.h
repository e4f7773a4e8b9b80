// SPDX-License-Identifier: Apache-2.0
//
// Multiply-accumulates of a network's layers, as papers count them: of the operators, not of what a
// core makes of them (padding to blocks, zeros beside diagonals).
#ifndef VTA_RUNTIME_PROGRAM_MACS_H_
#define VTA_RUNTIME_PROGRAM_MACS_H_

#include <cstdint>

#include "runtime/program/program.h"

namespace vta {

// Of one image in a step on the host or the core: products of a convolution, a dense layer or a
// matrix product; 0 for everything else, and for the convolutions that only copy (see
// compiler/lower/passes.h, fuse_shortcut).
uint64_t macs_of(const Program& program, const ProgramStep& step);

struct MacSums {
  uint64_t all = 0, on_core = 0;
};
MacSums macs_of(const Program& program);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_MACS_H_
