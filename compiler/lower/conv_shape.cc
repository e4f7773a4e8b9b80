// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_shape.h"

#include <algorithm>

namespace vta::lower {
namespace {

int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -ceil_div(-a, b); }

// A 1x1 convolution from [..., rows, columns] to the rows of `result`: `batch` rows are a pixel.
ConvShape rows_shape(const TensorType& matrix, const TensorType& result, const CoreConfig& core) {
  ConvShape s;
  s.ic_blocks = ceil_div(matrix.shape.back(), core.block_in);
  s.oc_blocks = ceil_div(result.shape.back(), core.block_out);
  s.rows.in = s.rows.out = ceil_div(matrix.shape.end()[-2], core.batch);
  return s;
}

}  // namespace

int64_t AxisTile::first(const ConvAxis& axis, int64_t phase) const {
  const int64_t phases = axis.num_phases();
  return (phase - begin % phases + phases) % phases;
}

int64_t AxisTile::count(const ConvAxis& axis, int64_t phase) const {
  return std::max<int64_t>(0, ceil_div(size - first(axis, phase), axis.num_phases()));
}

AxisSpan span_of(const ConvAxis& axis, const AxisTile& results) {
  if (!axis.pool) return {results, results};
  const WindowAxis& pool = *axis.pool;
  const ClippedRange outputs =
      clip_range(results.begin * pool.stride - pool.pad, 1, pool.reach(results.size), axis.out);
  return {results, {outputs.begin, outputs.size}, outputs.before, outputs.after};
}

std::vector<AxisSpan> spans_of(const ConvAxis& axis, int64_t size) {
  std::vector<AxisSpan> spans;
  for (int64_t begin = 0; begin < axis.num_results(); begin += size) {
    spans.push_back(span_of(axis, {begin, std::min(size, axis.num_results() - begin)}));
  }
  return spans;
}

std::vector<AxisTap> axis_taps(const ConvAxis& a) {
  std::vector<AxisTap> taps;
  if (!a.transposed) {
    for (int64_t k = 0; k < a.kernel; ++k) taps.push_back({k, 0, k * a.dilation - a.pad});
    return taps;
  }
  // Output o reads input (o + pad - k * dilation) / stride if that is an integer.
  for (int64_t phase = 0; phase < std::min(a.stride, a.out); ++phase) {
    const size_t before = taps.size();
    for (int64_t k = 0; k < a.kernel; ++k) {
      const int64_t numerator = phase + a.pad - k * a.dilation;
      if (numerator % a.stride == 0) taps.push_back({k, phase, numerator / a.stride});
    }
    if (taps.size() == before) {
      taps.push_back({kNoTap, phase, floor_div(phase + a.pad, a.stride)});
    }
  }
  return taps;
}

int64_t first_input(const ConvAxis& axis, const AxisTap& tap, const AxisTile& tile) {
  const int64_t output = tile.begin + tile.first(axis, tap.phase);
  return output / axis.num_phases() * axis.in_stride() + tap.offset;
}

AxisWindow window_of(const ConvAxis& axis, const std::vector<AxisTap>& taps, int64_t begin,
                     int64_t num, const AxisTile& tile, bool skips) {
  AxisWindow window;
  int64_t last = 0;
  for (int64_t i = begin; i < begin + num; ++i) {
    const AxisTap& tap = taps[static_cast<size_t>(i)];
    const int64_t count = tile.count(axis, tap.phase);
    if (count == 0) continue;
    const int64_t first = first_input(axis, tap, tile);
    const int64_t end = first + (count - 1) * axis.in_stride();
    const bool is_first = window.count == 0;
    window.first = is_first ? first : std::min(window.first, first);
    last = is_first ? end : std::max(last, end);
    window.count = last - window.first + 1;
  }
  if (skips && num == 1 && window.count > 0) {
    window.stride = axis.in_stride();
    window.count = (last - window.first) / window.stride + 1;
  }
  return window;
}

BlockRange ConvShape::input_blocks(int64_t oc_block) const {
  if (groups == 1) return {0, ic_blocks};
  const int64_t first_group = oc_block * block / group_oc;
  const int64_t last_group = std::min(groups - 1, (oc_block * block + block - 1) / group_oc);
  return {first_group * group_ic / block, ceil_div((last_group + 1) * group_ic, block)};
}

WindowAxis window_axis(const WindowAttrs& attrs, const TensorType& src, const TensorType& dst,
                       size_t i) {
  return {src.shape[2 + i], dst.shape[2 + i],  attrs.kernel[i],
          attrs.stride[i],  attrs.dilation[i], attrs.pad[i]};
}

ConvShape conv_shape_of(OpKind kind, const OpAttrs& attrs, const TensorType& src,
                        const TensorType& dst, const CoreConfig& core) {
  if (kind == OpKind::kQDense) return rows_shape(src, dst, core);
  ConvShape s;
  s.image_groups = ceil_div(src.shape[0], core.batch);
  s.ic_blocks = ceil_div(src.shape[1], core.block_in);
  s.oc_blocks = ceil_div(dst.shape[1], core.block_out);
  if (attrs.groups > 1) {
    s.groups = attrs.groups;
    s.group_ic = src.shape[1] / attrs.groups;
    s.group_oc = dst.shape[1] / attrs.groups;
    s.block = core.block_in;
  }
  const auto axis = [&](size_t i) {
    return ConvAxis{window_axis(attrs, src, dst, i), kind == OpKind::kQConv2dTranspose, {}};
  };
  s.rows = axis(0);
  s.columns = axis(1);
  return s;
}

ConvShape matrix_product_shape(const TensorType& a, const TensorType& result,
                               const CoreConfig& core) {
  ConvShape s = rows_shape(a, result, core);
  s.image_groups = result.num_elems() / (a.shape.end()[-2] * result.shape.back());
  s.own_weights = true;
  return s;
}

ClippedRange clip_range(int64_t first, int64_t stride, int64_t count, int64_t limit) {
  ClippedRange range;
  range.before = first >= 0 ? 0 : std::min(count, ceil_div(-first, stride));
  const int64_t inside = first >= limit ? 0 : std::min(count, ceil_div(limit - first, stride));
  range.size = std::max<int64_t>(0, inside - range.before);
  range.after = count - range.before - range.size;
  range.begin = first + range.before * stride;
  return range;
}

}  // namespace vta::lower
