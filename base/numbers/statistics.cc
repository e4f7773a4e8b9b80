// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "base/errors/error.h"

namespace vta {
namespace {

void need_samples(const std::vector<double>& samples) {
  VTA_ASSERT(!samples.empty(), "statistics of no samples");
}

}  // namespace

double mean(const std::vector<double>& samples) {
  need_samples(samples);
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double standard_deviation(const std::vector<double>& samples) {
  const double center = mean(samples);
  double sum = 0;
  for (const double sample : samples) sum += (sample - center) * (sample - center);
  return std::sqrt(sum / static_cast<double>(samples.size()));
}

double median(std::vector<double> samples) {
  need_samples(samples);
  std::ranges::sort(samples);
  const size_t middle = samples.size() / 2;
  return samples.size() % 2 != 0 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

double percentile(std::vector<double> samples, double percent) {
  need_samples(samples);
  VTA_ASSERT(percent > 0 && percent <= 100, "a percentile of more than 0, at most 100 %");
  // 99.9 is not exact in binary: 99.9 % of 1000 samples may come out slightly above 999, and ceil()
  // would return 1000.
  constexpr double kRounding = 1 - 1e-12;
  const double rank = std::ceil(percent * static_cast<double>(samples.size()) / 100 * kRounding);
  const auto nearest = samples.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::ranges::nth_element(samples, nearest);
  return *nearest;
}

}  // namespace vta
