// SPDX-License-Identifier: Apache-2.0
//
// Kernels that nobody tuned ask for initiation intervals that cannot be had. Here they get the ones
// that the scheduler proposes.
#ifndef VTA_TESTS_HLS_RANDOM_FEASIBLE_DESIGN_H_
#define VTA_TESTS_HLS_RANDOM_FEASIBLE_DESIGN_H_

#include <map>
#include <optional>
#include <string>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::kernels {

struct FeasibleDesign {
  hlsc::ir::Design design;  // prepared
  hlsc::schedule::Schedule schedule;
  std::map<std::string, uint32_t> intervals;  // that were made longer, by "file:line" of the loop
};

// `design` is fresh from the front end. Nothing if the scheduler has no interval for some loop.
// Errors: all others of passes::legalize() and schedule::schedule().
std::optional<FeasibleDesign> feasible_design(const hlsc::ir::Design& design);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_FEASIBLE_DESIGN_H_
