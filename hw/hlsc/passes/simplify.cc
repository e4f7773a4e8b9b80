// SPDX-License-Identifier: Apache-2.0
//
// Simplifies a process: folds constants and conditions, shares equal operations (common
// subexpression elimination), hoists loop invariants, narrows operations to the bits
// that can be set and eliminates dead operations.
#include "hw/hlsc/passes/passes.h"
#include "hw/hlsc/passes/rewriter.h"

namespace vta::hlsc::passes {

void simplify(ir::Design& design, ir::Process& process) {
  constexpr int kMaxRounds = 8;  // later rounds find next to nothing
  for (int round = 0; round < kMaxRounds; ++round) {
    const bool changed = Rewriter(process).run();
    eliminate_dead_ops(design, process);
    if (!changed) break;
  }
}

}  // namespace vta::hlsc::passes
