// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/fit_period.h"

#include "hw/hlsc/schedule/shorten_recurrences.h"
#include "hw/hlsc/schedule/split_operations.h"

namespace vta::hlsc::schedule {

void fit_period(ir::Design& design, const Options& options) {
  split_operations(design, options);
  shorten_recurrences(design, options);
}

}  // namespace vta::hlsc::schedule
