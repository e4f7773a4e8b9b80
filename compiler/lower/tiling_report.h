// SPDX-License-Identifier: Apache-2.0
//
// TilingReport: why the search chose a convolution's tiling, for reports.
#ifndef VTA_COMPILER_LOWER_TILING_REPORT_H_
#define VTA_COMPILER_LOWER_TILING_REPORT_H_

#include <cstdint>
#include <string>

#include "compiler/lower/tiling.h"

namespace vta::lower {

struct TilingReport {
  TilingCost cost;  // of the chosen tiling
  // Tilings and loop orders that fit the core and were compared; 0: the tiling is from a schedule
  // book.
  int64_t num_legal = 0;
  // The best one of another tile size, as to_string(Tiling); "" if the choice is the only one.
  std::string next;
  TilingCost next_cost;
  int64_t inp_slots = 0, wgt_slots = 0;
  // Elements in use, of the depths of the scratchpads; of ACC, in one of its halves.
  int64_t inp_elems = 0, wgt_elems = 0, acc_elems = 0;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILING_REPORT_H_
