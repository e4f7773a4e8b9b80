// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/tiling_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compiler/lower/tiling_search.h"

namespace vta::sim {

void TilingModel::add(const lower::Tiling& tiling, uint64_t cycles) {
  rows_.push_back(features_of(tiling));
  targets_.push_back(std::log1p(static_cast<double>(cycles)));
  regression_.reset();
}

double TilingModel::predict(const lower::Tiling& tiling) {
  if (!regression_) regression_.emplace(rows_, targets_);
  return regression_->predict(features_of(tiling));
}

RidgeRegression::Features TilingModel::features_of(const lower::Tiling& tiling) const {
  const lower::TilingCost cost = lower::estimate(problem_, tiling, core_);
  const double costs[] = {cost.gemm_cycles,    cost.alu_cycles, cost.load_cycles, cost.store_cycles,
                          cost.exposed_cycles, cost.dram_bytes, cost.total_cycles};
  RidgeRegression::Features features{};
  static_assert(features.size() == lower::kNumTilingChoices + std::size(costs));
  size_t i = 0;
  for (const int64_t choice : choices_of(tiling))
    features[i++] = std::log1p(static_cast<double>(choice));
  for (const double part : costs) features[i++] = std::log1p(std::max(0.0, part));
  return features;
}

}  // namespace vta::sim
