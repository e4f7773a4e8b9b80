// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/weight_rows.h"

#include <algorithm>

namespace vta::quantize {

using graph::Graph;
using graph::Node;

bool is_transposed(OpKind kind) {
  return kind == OpKind::kConv2dTranspose || kind == OpKind::kQConv2dTranspose;
}

namespace {

bool is_dense(OpKind kind) { return kind == OpKind::kDense || kind == OpKind::kQDense; }

// Index of element (row, column) in the weights of a transposed convolution.
int64_t weight_index(const RowShape& shape, int64_t row, int64_t column) {
  const int64_t channel = shape.group_of(row) * shape.channels_per_group() + column / shape.taps;
  const int64_t o = row % shape.rows_per_group();
  return (channel * shape.rows_per_group() + o) * shape.taps + column % shape.taps;
}

}  // namespace

RowShape row_shape(const Graph& graph, const Node& layer) {
  const std::vector<int64_t>& weights = graph.node(layer.inputs[1]).type.shape;
  RowShape shape;
  shape.num_rows = layer.type.shape[1];
  if (!is_dense(layer.kind)) {
    shape.groups = layer.attrs.groups;
    shape.taps = weights[2] * weights[3];
  }
  const int64_t channels = is_transposed(layer.kind) ? weights[0] / shape.groups : weights[1];
  shape.row_elems = channels * shape.taps;
  return shape;
}

template <typename T>
WeightRows<T>::WeightRows(const RowShape& shape, OpKind kind, const Tensor& weights)
    : all_(weights.data<T>()), row_elems_(shape.row_elems) {
  if (!is_transposed(kind)) return;
  reordered_ = to_rows<T>(shape, kind, weights);
  all_ = reordered_;
}

template <typename T>
std::vector<T> to_rows(const RowShape& shape, OpKind kind, const Tensor& weights) {
  const auto values = weights.data<T>();
  if (!is_transposed(kind)) return {values.begin(), values.end()};
  std::vector<T> rows(values.size());
  for (int64_t row = 0, i = 0; row < shape.num_rows; ++row) {
    for (int64_t column = 0; column < shape.row_elems; ++column, ++i)
      rows[i] = values[weight_index(shape, row, column)];
  }
  return rows;
}

template <typename T>
Tensor from_rows(const RowShape& shape, OpKind kind, const std::vector<T>& rows,
                 const std::vector<int64_t>& weights_shape) {
  Tensor weights(TensorType{dtype_of<T>(), weights_shape});
  const auto values = weights.mutable_data<T>();
  if (!is_transposed(kind)) {
    std::ranges::copy(rows, values.begin());
    return weights;
  }
  for (int64_t row = 0, i = 0; row < shape.num_rows; ++row) {
    for (int64_t column = 0; column < shape.row_elems; ++column, ++i)
      values[weight_index(shape, row, column)] = rows[i];
  }
  return weights;
}

template class WeightRows<float>;
template class WeightRows<int8_t>;
template std::vector<float> to_rows<float>(const RowShape&, OpKind, const Tensor&);
template std::vector<int8_t> to_rows<int8_t>(const RowShape&, OpKind, const Tensor&);
template Tensor from_rows<float>(const RowShape&, OpKind, const std::vector<float>&,
                                 const std::vector<int64_t>&);
template Tensor from_rows<int8_t>(const RowShape&, OpKind, const std::vector<int8_t>&,
                                  const std::vector<int64_t>&);

Windows::Windows(const Graph& graph, const Node& layer)
    : shape_(row_shape(graph, layer)), kind_(layer.kind), attrs_(layer.attrs) {
  const std::vector<int64_t>& result = layer.type.shape;
  if (!is_dense(kind_)) {
    oh_ = result[2];
    ow_ = result[3];
  }
  num_pixels_ = result[0] * oh_ * ow_;
}

// Input row (axis 0) or column (axis 1) of tap `tap` for output `out`; -1 in the padding.
int64_t Windows::source(int64_t out, int64_t tap, int axis, int64_t size) const {
  int64_t in = 0;
  if (is_transposed(kind_)) {
    const int64_t from = out + attrs_.pad[axis] - tap * attrs_.dilation[axis];
    if (from < 0 || from % attrs_.stride[axis] != 0) return -1;
    in = from / attrs_.stride[axis];
  } else {
    in = out * attrs_.stride[axis] - attrs_.pad[axis] + tap * attrs_.dilation[axis];
  }
  return in >= 0 && in < size ? in : -1;
}

void Windows::gather(const Tensor& x, int64_t group, int64_t pixel, int8_t* window) const {
  const auto values = x.data<int8_t>();
  if (is_dense(kind_)) {
    std::copy_n(values.begin() + pixel * shape_.row_elems, shape_.row_elems, window);
    return;
  }
  const int64_t ih = x.dim(2), iw = x.dim(3), channels = shape_.channels_per_group();
  const int64_t image = pixel / (oh_ * ow_), oy = pixel / ow_ % oh_, ox = pixel % ow_;
  const auto padding = static_cast<int8_t>(attrs_.zero);
  const auto [kh, kw] = attrs_.kernel;
  const int8_t* first = values.data() + (image * x.dim(1) + group * channels) * ih * iw;
  for (int64_t ky = 0; ky < kh; ++ky) {
    const int64_t iy = source(oy, ky, 0, ih);
    for (int64_t kx = 0; kx < kw; ++kx) {
      const int64_t ix = source(ox, kx, 1, iw);
      const bool inside = iy >= 0 && ix >= 0;
      int8_t* target = window + ky * kw + kx;
      for (int64_t c = 0; c < channels; ++c, target += kh * kw)
        *target = inside ? first[(c * ih + iy) * iw + ix] : padding;
    }
  }
}

}  // namespace vta::quantize
