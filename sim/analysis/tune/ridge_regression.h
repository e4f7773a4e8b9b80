// SPDX-License-Identifier: Apache-2.0
//
// Ridge regression (Hoerl and Kennard, 1970) on standardized features.
#ifndef VTA_SIM_ANALYSIS_TUNE_RIDGE_REGRESSION_H_
#define VTA_SIM_ANALYSIS_TUNE_RIDGE_REGRESSION_H_

#include <array>
#include <cstddef>
#include <vector>

namespace vta::sim {

class RidgeRegression {
 public:
  static constexpr size_t kNumFeatures = 18;
  using Features = std::array<double, kNumFeatures>;

  // Needs at least one row. Deterministic.
  RidgeRegression(const std::vector<Features>& rows, const std::vector<double>& targets);

  double predict(const Features& features) const;

 private:
  double mean_target_ = 0;
  Features mean_{}, weight_{};  // weight: of the feature as it is, without its mean
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_RIDGE_REGRESSION_H_
