// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_NUMBERS_BEST_INDICES_H_
#define VTA_BASE_NUMBERS_BEST_INDICES_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace vta {

// The indices of the `count` highest of `num_scores` scores (all, if there are fewer), highest
// first; of equal ones the lower index first. NaN is lower than any number. `score_of(index)`:
// floating-point.
template <typename ScoreOf>
std::vector<size_t> best_indices(size_t num_scores, size_t count, const ScoreOf& score_of) {
  std::vector<size_t> order(num_scores);
  std::iota(order.begin(), order.end(), size_t{0});
  const auto end = order.begin() + static_cast<ptrdiff_t>(std::min(count, num_scores));
  std::ranges::partial_sort(order, end, [&](size_t a, size_t b) {
    const auto score_a = score_of(a), score_b = score_of(b);
    // With NaN, > alone would be no order.
    if (std::isnan(score_a) != std::isnan(score_b)) return std::isnan(score_b);
    return score_a > score_b || (!(score_b > score_a) && a < b);
  });
  order.erase(end, order.end());
  return order;
}

}  // namespace vta

#endif  // VTA_BASE_NUMBERS_BEST_INDICES_H_
