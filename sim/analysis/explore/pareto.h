// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_ANALYSIS_EXPLORE_PARETO_H_
#define VTA_SIM_ANALYSIS_EXPLORE_PARETO_H_

#include <cstddef>
#include <utility>
#include <vector>

namespace vta::sim {

// The indices of the points (cost, cost) that no other point beats: none is less in one coordinate
// and at most equal in the other. In ascending order of the first coordinate; of equal points the
// first one only.
std::vector<size_t> pareto_front(const std::vector<std::pair<double, double>>& points);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_PARETO_H_
