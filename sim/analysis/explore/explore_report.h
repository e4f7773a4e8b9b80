// SPDX-License-Identifier: Apache-2.0
//
// What `vta-sim explore` prints: its result as a table, as JSON and as a page.
#ifndef VTA_SIM_ANALYSIS_EXPLORE_EXPLORE_REPORT_H_
#define VTA_SIM_ANALYSIS_EXPLORE_EXPLORE_REPORT_H_

#include <string>

#include "sim/analysis/explore/core_space.h"
#include "sim/analysis/explore/explore.h"

namespace vta::sim {

// A line for each core, those that fit before the others, in order of time; `*` marks the front.
// Then the front in sentences.
std::string to_text(const ExploreResult& result, const CoreSpace& space);

// One JSON object (README.md has its keys). `default_core`: the core that is marked if it is one of
// them.
std::string to_json(const ExploreResult& result, const CoreSpace& space,
                    const CoreConfig& default_core);

// One HTML file with the plot and the table: page/cores.html. `json`: of to_json(); `made`: how and
// when, one line.
std::string explore_page(const std::string& made, const std::string& json);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_EXPLORE_REPORT_H_
