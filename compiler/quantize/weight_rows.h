// SPDX-License-Identifier: Apache-2.0
//
// Weighted layers of all kinds as matrices: an output channel is a row of weights, and each of its
// outputs is the product of the row and a window of the input.
#ifndef VTA_COMPILER_QUANTIZE_WEIGHT_ROWS_H_
#define VTA_COMPILER_QUANTIZE_WEIGHT_ROWS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::quantize {

// Output channel o belongs to group o / (num_rows / groups) and reads the windows of that group.
struct RowShape {
  int64_t num_rows = 0;   // output channels
  int64_t row_elems = 0;  // input channels of a group * kh * kw, in that order
  int64_t groups = 1;
  int64_t taps = 1;  // kh * kw

  int64_t rows_per_group() const { return num_rows / groups; }
  int64_t group_of(int64_t row) const { return row / rows_per_group(); }
  int64_t channels_per_group() const { return row_elems / taps; }  // of the input
};

// The layer may be the float or the integer one.
RowShape row_shape(const graph::Graph& graph, const graph::Node& layer);

bool is_transposed(OpKind kind);  // weights are [ic, oc / groups, kh, kw]

// The layer's weights as [num_rows][row_elems]: a view, if they have this order. It is valid as
// long as its weights.
template <typename T>
class WeightRows {
 public:
  WeightRows(const RowShape& shape, OpKind kind, const Tensor& weights);
  WeightRows(const WeightRows&) = delete;
  WeightRows& operator=(const WeightRows&) = delete;

  std::span<const T> all() const { return all_; }
  std::span<const T> row(int64_t index) const {
    return all_.subspan(static_cast<size_t>(index * row_elems_), static_cast<size_t>(row_elems_));
  }

 private:
  std::vector<T> reordered_;
  std::span<const T> all_;
  int64_t row_elems_;
};

// Converts between the layer's weights and [num_rows][row_elems].
template <typename T>
std::vector<T> to_rows(const RowShape& shape, OpKind kind, const Tensor& weights);
template <typename T>
Tensor from_rows(const RowShape& shape, OpKind kind, const std::vector<T>& rows,
                 const std::vector<int64_t>& weights_shape);

// Windows of one int8 input [n, c, h, w] (dense: [n, c]) of a layer whose result is `output`.
class Windows {
 public:
  Windows(const graph::Graph& graph, const graph::Node& layer);

  int64_t num_pixels() const { return num_pixels_; }  // of the result, over all images
  // The window of result pixel `pixel` in the group's input channels: row_elems numbers, the
  // layer's zero point in the padding.
  void gather(const Tensor& x, int64_t group, int64_t pixel, int8_t* window) const;

 private:
  int64_t source(int64_t out, int64_t tap, int axis, int64_t size) const;

  const RowShape shape_;
  const OpKind kind_;
  const OpAttrs attrs_;
  int64_t oh_ = 1, ow_ = 1, num_pixels_ = 0;
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_WEIGHT_ROWS_H_
