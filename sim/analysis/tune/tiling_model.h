// SPDX-License-Identifier: Apache-2.0
//
// TilingModel: predicts the cycles of a task's tilings from those that were measured, by a ridge
// regression on logarithms of the choices and of the parts of lower::estimate().
#ifndef VTA_SIM_ANALYSIS_TUNE_TILING_MODEL_H_
#define VTA_SIM_ANALYSIS_TUNE_TILING_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lower/tiling.h"
#include "configs/core_config.h"
#include "sim/analysis/tune/ridge_regression.h"

namespace vta::sim {

class TilingModel {
 public:
  TilingModel(const lower::TilingProblem& problem, const CoreConfig& core)
      : problem_(problem), core_(core) {}

  void add(const lower::Tiling& tiling, uint64_t cycles);
  size_t num_measured() const { return rows_.size(); }

  // The logarithm of the cycles, by all tilings that were added, at least one.
  double predict(const lower::Tiling& tiling);

 private:
  RidgeRegression::Features features_of(const lower::Tiling& tiling) const;

  const lower::TilingProblem problem_;
  const CoreConfig core_;
  std::vector<RidgeRegression::Features> rows_;  // of the measured tilings
  std::vector<double> targets_;                  // logarithms of their cycles
  std::optional<RidgeRegression> regression_;    // none: since the last tiling was added
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_TILING_MODEL_H_
