// SPDX-License-Identifier: Apache-2.0
//
// The common case of a nest that may end early: an iteration that tells the counters nothing.
//
// The counters of such a nest look at registers that its body writes, through `late`; in the core,
// at its faults. While these are 0 and stay 0, most conditions of an iteration follow from a few.
#ifndef VTA_HW_HLSC_MODEL_QUIET_PATH_H_
#define VTA_HW_HLSC_MODEL_QUIET_PATH_H_

#include <llvm/ADT/APInt.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::model {

using KnownValues = std::map<ir::ValueId, llvm::APInt>;

struct QuietPath {
  KnownValues before;               // values that the registers' being 0 decides
  std::vector<ir::ValueId> checks;  // of one bit each; if they are what `after` has for them,
                                    // the registers stay 0
  KnownValues after;                // values that are decided then
};

// `body`: the operations of one iteration in an order in which they can be computed. None if there
// is nothing to be gained.
std::optional<QuietPath> quiet_path(const ir::Process& process,
                                    const std::vector<ir::ValueId>& body,
                                    const std::set<ir::ObjectId>& registers);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_QUIET_PATH_H_
