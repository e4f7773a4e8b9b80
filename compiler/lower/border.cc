// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/border.h"

#include <algorithm>
#include <utility>

namespace vta::lower {
namespace {

// Runs of outputs of one class in a tile.
struct Run {
  int64_t which;
  AxisTile outputs;
};

std::vector<Run> runs_of(const std::vector<int64_t>& of_output, const AxisTile& tile) {
  std::vector<Run> runs;
  for (int64_t i = tile.begin; i < tile.begin + tile.size; ++i) {
    const int64_t which = of_output[static_cast<size_t>(i)];
    if (runs.empty() || runs.back().which != which) runs.push_back({which, {i, 0}});
    ++runs.back().outputs.size;
  }
  return runs;
}

// The runs of some tiles and their outputs, and how many of these have no tap in the padding.
struct RunCounts {
  int64_t runs = 0, outputs = 0, inner_runs = 0, inner_outputs = 0;
};

RunCounts counts_of(const std::vector<int64_t>& of_output, std::span<const AxisTile> tiles) {
  RunCounts counts;
  for (const AxisTile& tile : tiles) {
    for (const Run& run : runs_of(of_output, tile)) {
      ++counts.runs;
      counts.outputs += run.outputs.size;
      if (run.which != 0) continue;
      ++counts.inner_runs;
      counts.inner_outputs += run.outputs.size;
    }
  }
  return counts;
}

// The sum over input channels of output channel `o`'s weights of each tap.
std::vector<int64_t> tap_sums(const Tensor& weights, int64_t o) {
  const int64_t taps = weights.dim(2) * weights.dim(3), group_ic = weights.dim(1);
  const auto row = weights.data<int8_t>().subspan(static_cast<size_t>(o * group_ic * taps));
  std::vector<int64_t> sums(static_cast<size_t>(taps));
  for (int64_t i = 0; i < group_ic * taps; ++i)
    sums[static_cast<size_t>(i % taps)] += row[static_cast<size_t>(i)];
  return sums;
}

}  // namespace

Border::Classes Border::classes_of(const ConvAxis& axis) {
  Classes classes;
  classes.padding.emplace_back(static_cast<size_t>(axis.kernel), false);
  for (int64_t output = 0; output < axis.out; ++output) {
    std::vector<bool> outside;
    for (int64_t k = 0; k < axis.kernel; ++k) {
      const int64_t position = output * axis.stride + k * axis.dilation - axis.pad;
      outside.push_back(position < 0 || position >= axis.in);
    }
    const auto found = std::ranges::find(classes.padding, outside);
    classes.of_output.push_back(found - classes.padding.begin());
    if (found == classes.padding.end()) classes.padding.push_back(std::move(outside));
  }
  return classes;
}

Border::Border(const ConvShape& shape, int64_t zero, bool in_gemm) : zero_(zero) {
  VTA_ASSERT(zero == 0 || !shape.rows.transposed, "transposed convolutions have no padding");
  if (zero == 0) return;
  rows_ = classes_of(shape.rows);
  columns_ = classes_of(shape.columns);
  if (in_gemm) list_taps();
}

void Border::list_taps() {
  const auto outputs_outside = [](const Classes& classes, int64_t k) {
    std::vector<int64_t> outside;
    for (const int64_t which : classes.of_output)
      outside.push_back(classes.padding[static_cast<size_t>(which)][static_cast<size_t>(k)] ? 1
                                                                                            : 0);
    return outside;
  };
  const auto has_any = [](const std::vector<int64_t>& outside) {
    return std::ranges::find(outside, 1) != outside.end();
  };
  for (int64_t row = 0; row < std::ssize(rows_.padding[0]); ++row) {
    for (int64_t column = 0; column < std::ssize(columns_.padding[0]); ++column) {
      TapOutputs outputs{outputs_outside(rows_, row), outputs_outside(columns_, column)};
      if (!has_any(outputs.rows) && !has_any(outputs.columns)) continue;
      taps_.push_back({row, column});
      tap_outputs_.push_back(std::move(outputs));
    }
  }
}

int64_t Border::num_corrections() const {
  if (zero_ == 0) return 0;
  if (in_gemm()) return std::ssize(taps_);
  return static_cast<int64_t>(rows_.padding.size()) * num_column_classes() - 1;
}

std::vector<std::vector<int32_t>> Border::corrections(const Tensor& weights) const {
  std::vector<std::vector<int32_t>> result(static_cast<size_t>(num_loaded()));
  if (result.empty()) return result;
  const int64_t kw = weights.dim(3);
  for (int64_t o = 0; o < weights.dim(0); ++o) {
    const std::vector<int64_t> sums = tap_sums(weights, o);
    for (int64_t i = 1; i <= num_corrections(); ++i) {
      const auto& rows = rows_.padding[static_cast<size_t>(i / num_column_classes())];
      const auto& columns = columns_.padding[static_cast<size_t>(i % num_column_classes())];
      int64_t sum = 0;
      for (size_t tap = 0; tap < sums.size(); ++tap) {
        const auto ky = tap / static_cast<size_t>(kw), kx = tap % static_cast<size_t>(kw);
        if (rows[ky] || columns[kx]) sum += sums[tap];
      }
      result[static_cast<size_t>(i - 1)].push_back(static_cast<int32_t>(sum * zero_));
    }
  }
  return result;
}

std::vector<Border::Rectangle> Border::rectangles_of_taps(const AxisTile& rows,
                                                          const AxisTile& columns) const {
  std::vector<Rectangle> result;
  for (int64_t i = 0; i < num_corrections(); ++i) {
    const TapOutputs& outside = tap_outputs_[static_cast<size_t>(i)];
    const auto column_runs = runs_of(outside.columns, columns);
    for (const Run& row : runs_of(outside.rows, rows)) {
      if (row.which != 0) result.push_back({i, row.outputs, columns});
      for (const Run& column : column_runs) {
        if (row.which == 0 && column.which != 0) result.push_back({i, row.outputs, column.outputs});
      }
    }
  }
  return result;
}

std::vector<Border::Rectangle> Border::rectangles(const AxisTile& rows,
                                                  const AxisTile& columns) const {
  std::vector<Rectangle> result;
  if (num_corrections() == 0) return result;
  if (in_gemm()) return rectangles_of_taps(rows, columns);
  for (const Run& row : runs_of(rows_.of_output, rows)) {
    for (const Run& column : runs_of(columns_.of_output, columns)) {
      const int64_t index = row.which * num_column_classes() + column.which;
      if (index > 0) result.push_back({index - 1, row.outputs, column.outputs});
    }
  }
  return result;
}

Border::Counts Border::counts_of_taps(std::span<const AxisTile> rows,
                                      std::span<const AxisTile> columns) const {
  int64_t width = 0;
  for (const AxisTile& tile : columns) width += tile.size;
  Counts sum;
  for (const TapOutputs& outside : tap_outputs_) {
    const RunCounts y = counts_of(outside.rows, rows), x = counts_of(outside.columns, columns);
    sum.rectangles +=
        (y.runs - y.inner_runs) * std::ssize(columns) + y.inner_runs * (x.runs - x.inner_runs);
    sum.outputs +=
        (y.outputs - y.inner_outputs) * width + y.inner_outputs * (x.outputs - x.inner_outputs);
  }
  return sum;
}

Border::Counts Border::counts(std::span<const AxisTile> rows,
                              std::span<const AxisTile> columns) const {
  if (num_corrections() == 0) return {};
  if (in_gemm()) return counts_of_taps(rows, columns);
  const RunCounts y = counts_of(rows_.of_output, rows), x = counts_of(columns_.of_output, columns);
  return {y.runs * x.runs - y.inner_runs * x.inner_runs,
          y.outputs * x.outputs - y.inner_outputs * x.inner_outputs};
}

}  // namespace vta::lower
