// SPDX-License-Identifier: Apache-2.0
//
// Statistics of samples; an assertion fails if there are none.
#ifndef VTA_BASE_NUMBERS_STATISTICS_H_
#define VTA_BASE_NUMBERS_STATISTICS_H_

#include <vector>

namespace vta {

double mean(const std::vector<double>& samples);
double standard_deviation(const std::vector<double>& samples);  // population standard deviation
// The middle sample, or the mean of the two in the middle.
double median(std::vector<double> samples);
// The smallest sample that is not less than `percent` % of the samples (nearest rank). `percent`:
// more than 0, at most 100.
double percentile(std::vector<double> samples, double percent);

}  // namespace vta

#endif  // VTA_BASE_NUMBERS_STATISTICS_H_
