// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/pareto.h"

#include <algorithm>
#include <numeric>

namespace vta::sim {

std::vector<size_t> pareto_front(const std::vector<std::pair<double, double>>& points) {
  std::vector<size_t> order(points.size()), front;
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(points[i], i); });
  for (const size_t i : order) {
    if (front.empty() || points[i].second < points[front.back()].second) front.push_back(i);
  }
  return front;
}

}  // namespace vta::sim
