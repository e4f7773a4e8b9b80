// SPDX-License-Identifier: Apache-2.0
//
// The fast path of a nest that may end early: an iteration after which the loop continues.
//
// The counters of such a nest read registers that its body writes (ir::Opcode::kLate); in the core,
// its faults. While these are 0 and stay 0, most conditions of an iteration follow from a few.
#ifndef VTA_HW_HLSC_MODEL_FAST_PATH_H_
#define VTA_HW_HLSC_MODEL_FAST_PATH_H_

#include <llvm/ADT/APInt.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::model {

using KnownValues = std::map<ir::ValueId, llvm::APInt>;

struct FastPath {
  KnownValues before;               // values implied by registers that are 0
  std::vector<ir::ValueId> checks;  // 1 bit each; if they have their values in `after`, the
                                    // registers stay 0
  KnownValues after;                // values implied by the checks
};

// `body`: the operations of one iteration in an order in which they can be computed. None if the
// iteration has no such path.
std::optional<FastPath> fast_path(const ir::Process& process, const std::vector<ir::ValueId>& body,
                                  const std::set<ir::ObjectId>& registers);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_FAST_PATH_H_
