// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/simplify.h"

#include "hw/hlsc/transform/rewriter.h"

namespace vta::hlsc::transform {

void simplify(ir::Process& process) {
  // What remains after so many rounds is not worth another one.
  constexpr int kMostRounds = 8;
  for (int round = 0; round < kMostRounds; ++round) {
    const bool changed = Rewriter(process).run();
    drop_unused(process);
    if (!changed) break;
  }
}

}  // namespace vta::hlsc::transform
