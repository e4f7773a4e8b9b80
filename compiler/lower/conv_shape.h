// SPDX-License-Identifier: Apache-2.0
//
// ConvShape: the geometry of a convolution on the core, with channels in blocks and images in
// groups of `batch`. A dense layer is a convolution of 1x1 taps of an image of one column, whose
// pixels are the rows of the matrix; a product of matrices has such an image for each matrix, whose
// weights differ from image to image. A
// transposed convolution of stride s is decomposed into s *phases* per axis whose results
// interleave: phase p computes the outputs p, p + s, p + 2 s, ...
#ifndef VTA_COMPILER_LOWER_CONV_SHAPE_H_
#define VTA_COMPILER_LOWER_CONV_SHAPE_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "configs/core_config.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::lower {

// Rows or columns of an operator with windows.
struct WindowAxis {
  int64_t in = 1, out = 1;
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t pad = 0;  // before the first position

  auto operator<=>(const WindowAxis&) const = default;

  // Number of input positions, padding included, that the windows of `outputs` outputs cover.
  int64_t reach(int64_t outputs) const {
    return (outputs - 1) * stride + (kernel - 1) * dilation + 1;
  }
};

// Axis `i` (0: rows, 1: columns) of an operator on images, from [n, c, h, w] to [n, c, h, w].
WindowAxis window_axis(const WindowAttrs& attrs, const TensorType& src, const TensorType& dst,
                       size_t i);

struct ConvAxis : WindowAxis {
  bool transposed = false;
  std::optional<WindowAxis> pool;  // of the max pool in the convolution's stream

  auto operator<=>(const ConvAxis&) const = default;

  int64_t num_phases() const { return transposed ? stride : 1; }
  // Distance of the input positions of consecutive outputs of a phase.
  int64_t in_stride() const { return transposed ? 1 : stride; }
  // Number of results: outputs of the pool if there is one, else of the convolution.
  int64_t num_results() const { return pool ? pool->out : out; }
};

// The outputs [begin, begin + size) of an axis that belong to a tile.
struct AxisTile {
  int64_t begin = 0, size = 0;

  // Index in the tile of the first output of `phase`, and the number of outputs of `phase`.
  int64_t first(const ConvAxis& axis, int64_t phase) const;
  int64_t count(const ConvAxis& axis, int64_t phase) const;
};

// A tile's extent along an axis: results, and the outputs that they need. In ACC these are
// surrounded by the positions of the pool's padding that the results' windows cover.
struct AxisSpan {
  AxisTile results, outputs;
  int64_t pad_before = 0, pad_after = 0;

  int64_t elems() const { return pad_before + outputs.size + pad_after; }  // in ACC
};
AxisSpan span_of(const ConvAxis& axis, const AxisTile& results);
// The spans of all tiles of `size` results, in order.
std::vector<AxisSpan> spans_of(const ConvAxis& axis, int64_t size);

// A tap: output num_phases * j + phase reads input in_stride * j + offset.
struct AxisTap {
  int64_t k = 0;  // position in the kernel; kNoTap: the phase has no tap, its weight is zero
  int64_t phase = 0;
  int64_t offset = 0;
};
inline constexpr int64_t kNoTap = -1;

// By phase, at least one per phase.
std::vector<AxisTap> axis_taps(const ConvAxis& axis);

// The input positions that a set of taps reads: first, first + stride, ..., `count` in total,
// including padding.
struct AxisWindow {
  int64_t first = 0, stride = 1, count = 0;
};
// The input position that a tap reads for the tile's first output of its phase.
int64_t first_input(const ConvAxis& axis, const AxisTap& tap, const AxisTile& tile);

// The window of taps [begin, begin + num) for a tile. With `skips`, the window of a single tap
// leaves out the positions between those that it reads. Empty if the taps' phases have no output in
// the tile.
AxisWindow window_of(const ConvAxis& axis, const std::vector<AxisTap>& taps, int64_t begin,
                     int64_t num, const AxisTile& tile, bool skips);

// Consecutive blocks.
struct BlockRange {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

struct ConvShape {
  int64_t image_groups = 1, ic_blocks = 1, oc_blocks = 1;
  // If groups > 1: input and output channels per group, and channels per block. Groups narrower
  // than a block share blocks: their weights are on the diagonal of an element, all others are
  // zero.
  int64_t groups = 1, group_ic = 0, group_oc = 0, block = 0;
  ConvAxis rows, columns;
  // Each image group has weights of its own: a matrix of the second operand of a product, in the
  // arena as elements [matrix][output block][input block].
  bool own_weights = false;

  auto operator<=>(const ConvShape&) const = default;

  // How many sets of weights there are.
  int64_t weight_sets() const { return own_weights ? image_groups : 1; }

  // The input blocks that an output block depends on; both ends are monotonic in `oc_block`.
  BlockRange input_blocks(int64_t oc_block) const;
};

// The matrices of the operands of a product that each matrix of its result, an image group, is
// computed from: axes may be broadcast.
struct MatricesOfImages {
  std::vector<int64_t> inputs, weights;
};

// The shape of a qconv2d, qconv2d_transpose or qdense with input `src` and result `dst`, without a
// pool.
ConvShape conv_shape_of(OpKind kind, const OpAttrs& attrs, const TensorType& src,
                        const TensorType& dst, const CoreConfig& core);

// The shape of a qmatmul of `a` with `result`, packed as Layout::kRows: `batch` rows are a pixel.
ConvShape matrix_product_shape(const TensorType& a, const TensorType& result,
                               const CoreConfig& core);

// A pool's padding in sums of products: -2^kPoolPaddingBits.
inline constexpr int kPoolPaddingBits = 30;

// The positions first, first + stride, ... (`count` of them), divided into those in [0, limit) and
// the padding before and after.
struct ClippedRange {
  int64_t before = 0, size = 0, after = 0;
  int64_t begin = 0;  // the first position in [0, limit), if size > 0
};
ClippedRange clip_range(int64_t first, int64_t stride, int64_t count, int64_t limit);

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_SHAPE_H_
