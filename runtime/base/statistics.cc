// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vta {

double mean(const std::vector<double>& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double standard_deviation(const std::vector<double>& samples) {
  const double center = mean(samples);
  double sum = 0;
  for (const double sample : samples) sum += (sample - center) * (sample - center);
  return std::sqrt(sum / static_cast<double>(samples.size()));
}

double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  const size_t middle = samples.size() / 2;
  return samples.size() % 2 != 0 ? samples.at(middle)
                                 : (samples.at(middle - 1) + samples.at(middle)) / 2;
}

double percentile(std::vector<double> samples, double percent) {
  const double rank = std::ceil(percent / 100 * static_cast<double>(samples.size()));
  const auto index = static_cast<std::ptrdiff_t>(std::max(1.0, rank)) - 1;
  std::ranges::nth_element(samples, samples.begin() + index);
  return samples.at(static_cast<size_t>(index));
}

}  // namespace vta
