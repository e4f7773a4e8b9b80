// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/ridge_regression.h"

#include <algorithm>
#include <cmath>

#include "base/errors/error.h"

namespace vta::sim {
namespace {

constexpr size_t kN = RidgeRegression::kNumFeatures;
using Features = RidgeRegression::Features;
using Matrix = std::array<Features, kN>;

// Penalty of standardized features: as much as half a row.
constexpr double kPenalty = 0.5;

// Solves a * x = b for a symmetric positive definite matrix, by Cholesky's decomposition.
Features solve(Matrix a, Features b) {
  for (size_t i = 0; i < kN; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(sum) : sum / a[j][j];
    }
  }
  for (size_t i = 0; i < kN; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (size_t i = kN; i-- > 0;) {
    for (size_t k = i + 1; k < kN; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

}  // namespace

RidgeRegression::RidgeRegression(const std::vector<Features>& rows,
                                 const std::vector<double>& targets) {
  VTA_ASSERT(!rows.empty() && rows.size() == targets.size(), "a target for each row");
  const auto count = static_cast<double>(rows.size());
  Features scale{};
  for (const double target : targets) mean_target_ += target / count;
  for (size_t i = 0; i < kN; ++i) {
    for (const Features& row : rows) mean_[i] += row[i] / count;
    double variance = 0;
    for (const Features& row : rows) variance += (row[i] - mean_[i]) * (row[i] - mean_[i]) / count;
    scale[i] = variance > 1e-12 ? 1 / std::sqrt(variance) : 0;  // 0: a constant feature
  }
  Matrix products{};
  Features sums{};
  for (size_t r = 0; r < rows.size(); ++r) {
    Features x;
    for (size_t i = 0; i < kN; ++i) x[i] = (rows[r][i] - mean_[i]) * scale[i];
    for (size_t i = 0; i < kN; ++i) {
      sums[i] += x[i] * (targets[r] - mean_target_);
      for (size_t j = 0; j < kN; ++j) products[i][j] += x[i] * x[j];
    }
  }
  for (size_t i = 0; i < kN; ++i) products[i][i] += kPenalty;
  weight_ = solve(products, sums);
  for (size_t i = 0; i < kN; ++i) weight_[i] *= scale[i];
}

double RidgeRegression::predict(const Features& features) const {
  double value = mean_target_;
  for (size_t i = 0; i < kN; ++i) value += (features[i] - mean_[i]) * weight_[i];
  return value;
}

}  // namespace vta::sim
