// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/pool_layer.h"

#include <algorithm>

#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

// The size of the fewest nearly equal pieces for which `fits` holds; 1 if none does.
template <typename Fits>
int64_t largest_piece(int64_t n, Fits&& fits) {
  for (int64_t pieces = 1; pieces < n; ++pieces) {
    const int64_t size = ceil_div(n, pieces);
    if (fits(size)) return size;
  }
  return 1;
}

bool pads_fit(const WindowAxis& axis) {
  return axis.pad <= kMaxPad && axis.reach(axis.out) - axis.pad - axis.in <= kMaxPad;
}

}  // namespace

PoolLayer pool_layer_of(const WindowAttrs& attrs, const TensorType& src, const TensorType& dst,
                        const CoreConfig& core) {
  PoolLayer layer;
  layer.image_groups = ceil_div(src.shape[0], core.batch);
  layer.blocks = ceil_div(src.shape[1], core.block_out);
  layer.rows = window_axis(attrs, src, dst, 0);
  layer.columns = window_axis(attrs, src, dst, 1);
  return layer;
}

int64_t inp_elems(const PoolLayer& layer, const PoolTiling& t) {
  return layer.rows.reach(t.th) * layer.columns.reach(t.tw);
}

int64_t elems(const PoolLayer& layer, const PoolTiling& t) {
  return t.th * t.tw + inp_elems(layer, t);
}

std::optional<PoolTiling> largest_pool_tiling(const PoolLayer& layer, const CoreConfig& core) {
  const int64_t half = core.acc_depth() / 2;
  PoolTiling t;
  t.tw = largest_piece(layer.columns.out,
                       [&](int64_t tw) { return elems(layer, {1, tw, 1}) <= half; });
  t.th = largest_piece(layer.rows.out,
                       [&](int64_t th) { return elems(layer, {th, t.tw, 1}) <= half; });
  const bool fits = elems(layer, t) <= half && pads_fit(layer.rows) && pads_fit(layer.columns) &&
                    layer.columns.in <= kMaxExtent;
  if (!fits) return std::nullopt;
  t.blocks = std::min(layer.blocks, half / elems(layer, t));
  return t;
}

}  // namespace vta::lower
