// SPDX-License-Identifier: Apache-2.0
//
// Random kernels request initiation intervals that may not be achievable. Replaces them by the
// intervals that the scheduler proposes. A design whose counters do not fit the clock period gets a
// longer one.
#ifndef VTA_TESTS_HLS_RANDOM_FEASIBLE_DESIGN_H_
#define VTA_TESTS_HLS_RANDOM_FEASIBLE_DESIGN_H_

#include <map>
#include <optional>
#include <string>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::kernels {

struct FeasibleDesign {
  hlsc::ir::Design design;  // after the passes
  hlsc::schedule::Schedule schedule;
  std::map<std::string, uint32_t> intervals;  // increased intervals, by "file:line" of the loop
};

// `design` comes from the front end, `options` are the scheduler's. Absent if the scheduler has no
// interval for a loop. Errors: all others of passes::legalize() and schedule::schedule().
std::optional<FeasibleDesign> feasible_design(const hlsc::ir::Design& design,
                                              hlsc::schedule::Options options);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_FEASIBLE_DESIGN_H_
