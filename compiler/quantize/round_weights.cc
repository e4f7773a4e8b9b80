// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/round_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/limits/parallel.h"
#include "compiler/quantize/power_of_two.h"

namespace vta::quantize {
namespace {

constexpr int kMaxPasses = 6;
constexpr int64_t kRowsAtOnce = 16;  // that share lines of the covariance while they are in a cache
constexpr int64_t kBlock = 32;       // weights of a row whose changes are applied together
constexpr int64_t kChunk = 64;       // elements of the gradient that stay in registers meanwhile

// Coordinate descent on a few rows. With errors e = w - q, the cost of a row is e' C e, and
// `gradient` is C e. Changes are applied to the block of their weight at once, as the next weights
// need them, and to the rest of the row at the end of the block. Each element of the gradient gets
// the same sums in the same order as one by one.
class Tile {
 public:
  Tile(std::span<const double> rows, std::span<const float> covariance, int64_t size)
      : rows_(rows),
        covariance_(covariance),
        size_(size),
        num_rows_(static_cast<int64_t>(rows.size()) / size),
        errors_(rows.size()),
        gradient_(rows.size()),
        changes_(static_cast<size_t>(num_rows_)) {}

  // One sweep over all weights; returns whether any changed.
  bool pass(bool is_first) {
    bool changed = false;
    for (int64_t first = 0; first < size_; first += kBlock) {
      const Span block{first, std::min(first + kBlock, size_)};
      for (int64_t j = block.begin; j < block.end; ++j) {
        for (int64_t r = 0; r < num_rows_; ++r) choose(r, j, block, is_first);
      }
      changed |= apply_outside(block);
    }
    return changed;
  }

  int8_t value(int64_t index) const {
    return static_cast<int8_t>(std::lround(rows_[index] - errors_[index]));
  }

 private:
  struct Span {
    int64_t begin, end;
  };
  // A change of an error, by which the gradient gets a multiple of a line of the covariance.
  struct Change {
    const float* line;
    float factor;
  };

  void choose(int64_t r, int64_t j, Span block, bool is_first) {
    const int64_t index = r * size_ + j;
    const double weight = rows_[index], diagonal = covariance_[j * size_ + j];
    double& error = errors_[index];
    const double from_others = gradient_[index] - error * diagonal;
    const double wanted = std::round(weight + from_others / diagonal);
    const double limit = kMaxInt8;
    const double q =
        std::clamp(std::clamp(wanted, std::floor(weight), std::ceil(weight)), -limit, limit);
    const double change = weight - q - error;
    if (change == 0 || (!is_first && std::abs(change) < 0.5)) return;
    error += change;
    const Change made{covariance_.data() + j * size_, static_cast<float>(change)};
    changes_[static_cast<size_t>(r)].push_back(made);
    float* gradient = gradient_.data() + r * size_;
    for (int64_t i = block.begin; i < block.end; ++i) gradient[i] += made.factor * made.line[i];
  }

  // Returns whether there was a change.
  bool apply_outside(Span block) {
    for (int64_t i = 0; i < block.begin; i += kChunk) apply({i, std::min(i + kChunk, block.begin)});
    for (int64_t i = block.end; i < size_; i += kChunk) apply({i, std::min(i + kChunk, size_)});
    bool changed = false;
    for (std::vector<Change>& changes : changes_) {
      changed |= !changes.empty();
      changes.clear();
    }
    return changed;
  }

  void apply(Span chunk) {
    const bool is_whole = chunk.end - chunk.begin == kChunk;
    for (int64_t r = 0; r < num_rows_; ++r) {
      float* gradient = gradient_.data() + r * size_ + chunk.begin;
      const std::vector<Change>& changes = changes_[static_cast<size_t>(r)];
      if (is_whole) {
        std::array<float, kChunk> sums;
        std::copy_n(gradient, kChunk, sums.begin());
        for (const Change& change : changes) {
          for (size_t i = 0; i < sums.size(); ++i)
            sums[i] += change.factor * change.line[chunk.begin + static_cast<int64_t>(i)];
        }
        std::ranges::copy(sums, gradient);
        continue;
      }
      for (const Change& change : changes) {
        for (int64_t i = chunk.begin; i < chunk.end; ++i)
          gradient[i - chunk.begin] += change.factor * change.line[i];
      }
    }
  }

  const std::span<const double> rows_;
  const std::span<const float> covariance_;
  const int64_t size_, num_rows_;
  std::vector<double> errors_;
  std::vector<float> gradient_;
  std::vector<std::vector<Change>> changes_;  // of the block, by row
};

}  // namespace

std::vector<int8_t> round_weights(std::span<const double> rows, std::span<const float> covariance,
                                  int64_t size) {
  std::vector<int8_t> result(rows.size());
  const int64_t num_rows = static_cast<int64_t>(rows.size()) / size;
  in_parallel(static_cast<size_t>((num_rows + kRowsAtOnce - 1) / kRowsAtOnce), [&](size_t index) {
    const int64_t first = static_cast<int64_t>(index) * kRowsAtOnce;
    const int64_t count = std::min(kRowsAtOnce, num_rows - first);
    Tile tile(rows.subspan(static_cast<size_t>(first * size), static_cast<size_t>(count * size)),
              covariance, size);
    for (int pass = 0; pass < kMaxPasses && tile.pass(pass == 0); ++pass) continue;
    for (int64_t i = 0; i < count * size; ++i) result[first * size + i] = tile.value(i);
  });
  return result;
}

}  // namespace vta::quantize
