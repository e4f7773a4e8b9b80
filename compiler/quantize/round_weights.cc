// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/round_weights.h"

#include <algorithm>
#include <cmath>

#include "compiler/quantize/power_of_two.h"

namespace vta::quantize {
namespace {

constexpr int kMaxPasses = 6;
constexpr int64_t kRowsAtOnce = 16;  // that share a line of the covariance while it is in the cache

// Coordinate descent on a few rows. With errors e = w - q, the cost of a row is e' C e, and
// `gradient` is C e.
class Tile {
 public:
  Tile(std::span<const double> rows, std::span<const float> covariance, int64_t size)
      : rows_(rows),
        covariance_(covariance),
        size_(size),
        num_rows_(static_cast<int64_t>(rows.size()) / size),
        errors_(rows.size()),
        gradient_(rows.size()) {}

  // One sweep over all weights; returns whether any changed.
  bool pass(bool is_first) {
    bool changed = false;
    for (int64_t j = 0; j < size_; ++j) {
      for (int64_t r = 0; r < num_rows_; ++r) changed |= choose(r, j, is_first);
    }
    return changed;
  }

  int8_t value(int64_t index) const {
    return static_cast<int8_t>(std::lround(rows_[index] - errors_[index]));
  }

 private:
  bool choose(int64_t r, int64_t j, bool is_first) {
    const int64_t index = r * size_ + j;
    const double weight = rows_[index], diagonal = covariance_[j * size_ + j];
    double& error = errors_[index];
    const double from_others = gradient_[index] - error * diagonal;
    const double wanted = std::round(weight + from_others / diagonal);
    const double limit = kMaxInt8;
    const double q =
        std::clamp(std::clamp(wanted, std::floor(weight), std::ceil(weight)), -limit, limit);
    const double change = weight - q - error;
    if (change == 0 || (!is_first && std::abs(change) < 0.5)) return false;
    error += change;
    const auto factor = static_cast<float>(change);
    float* gradient = gradient_.data() + r * size_;
    const float* line = covariance_.data() + j * size_;
    for (int64_t i = 0; i < size_; ++i) gradient[i] += factor * line[i];
    return true;
  }

  const std::span<const double> rows_;
  const std::span<const float> covariance_;
  const int64_t size_, num_rows_;
  std::vector<double> errors_;
  std::vector<float> gradient_;
};

}  // namespace

std::vector<int8_t> round_weights(std::span<const double> rows, std::span<const float> covariance,
                                  int64_t size) {
  std::vector<int8_t> result;
  const int64_t num_rows = static_cast<int64_t>(rows.size()) / size;
  for (int64_t first = 0; first < num_rows; first += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, num_rows - first);
    const auto part =
        rows.subspan(static_cast<size_t>(first * size), static_cast<size_t>(count * size));
    Tile tile(part, covariance, size);
    for (int pass = 0; pass < kMaxPasses && tile.pass(pass == 0); ++pass) continue;
    for (int64_t i = 0; i < count * size; ++i) result.push_back(tile.value(i));
  }
  return result;
}

}  // namespace vta::quantize
