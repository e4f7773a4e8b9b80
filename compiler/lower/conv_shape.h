// SPDX-License-Identifier: Apache-2.0
//
// A convolution as the core sees it: channels in blocks, images in groups of `batch`. A dense layer
// is one over a 1x1 image. A transposed convolution of stride s is s small ones an axis, its
// *phases*, whose results interleave: phase p makes the outputs p, p + s, p + 2 s, ...
#ifndef VTA_COMPILER_LOWER_CONV_SHAPE_H_
#define VTA_COMPILER_LOWER_CONV_SHAPE_H_

#include <compare>
#include <cstdint>
#include <vector>

#include "configs/core_config.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::lower {

// Rows or columns.
struct ConvAxis {
  int64_t in = 1, out = 1;
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t pad = 0;  // before the first position
  bool transposed = false;

  auto operator<=>(const ConvAxis&) const = default;

  int64_t num_phases() const { return transposed ? stride : 1; }
  // Input positions from one output of a phase to the next.
  int64_t in_stride() const { return transposed ? 1 : stride; }
};

// Outputs [begin, begin + size) of an axis, as a tile cuts them.
struct AxisTile {
  int64_t begin = 0, size = 0;

  // Index in the tile of its first output of `phase`, if it has one; and how many it has.
  int64_t first(const ConvAxis& axis, int64_t phase) const;
  int64_t count(const ConvAxis& axis, int64_t phase) const;
};

// What one kernel position does: output num_phases * j + phase takes input in_stride * j + offset.
struct AxisTap {
  int64_t k = 0;  // position in the kernel; kNoTap where a phase has none: zeros stand in
  int64_t phase = 0;
  int64_t offset = 0;
};
inline constexpr int64_t kNoTap = -1;

// Phase by phase, each phase at least one.
std::vector<AxisTap> axis_taps(const ConvAxis& axis);

// The input positions that some taps reach: first, first + stride, ...; `count` of them, of which
// some may be padding.
struct AxisWindow {
  int64_t first = 0, stride = 1, count = 0;
};
// The input position of a tap for the tile's first output of its phase.
int64_t first_input(const ConvAxis& axis, const AxisTap& tap, const AxisTile& tile);

// Of taps [begin, begin + num) over a tile. A single tap skips what lies between its positions if
// `skips`. Nothing is reached by taps whose phases have no output in the tile.
AxisWindow window_of(const ConvAxis& axis, const std::vector<AxisTap>& taps, int64_t begin,
                     int64_t num, const AxisTile& tile, bool skips);

// Consecutive blocks.
struct BlockRange {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

struct ConvShape {
  int64_t image_groups = 1, ic_blocks = 1, oc_blocks = 1;
  // Of more than one group: channels a group on either side, and channels a block. Narrow groups
  // share blocks: their weights stand on the diagonal of an element, among zeros.
  int64_t groups = 1, group_ic = 0, group_oc = 0, block = 0;
  ConvAxis rows, columns;

  auto operator<=>(const ConvShape&) const = default;

  // The input blocks that an output block depends on. Both ends rise with the output block.
  BlockRange input_blocks(int64_t oc_block) const;
};

// qconv2d, qconv2d_transpose, qdense: what conv_shape_of() takes.
bool is_convolution(OpKind kind);

// Of a qconv2d, qconv2d_transpose or qdense with input `src` and result `dst`.
ConvShape conv_shape_of(OpKind kind, const OpAttrs& attrs, const TensorType& src,
                        const TensorType& dst, const CoreConfig& core);

// `count` positions first, first + stride, ... of which those in [0, limit) exist and the others
// are padding.
struct ClippedRange {
  int64_t before = 0, size = 0, after = 0;
  int64_t begin = 0;  // the first position that exists, if size > 0
};
ClippedRange clip_range(int64_t first, int64_t stride, int64_t count, int64_t limit);

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_SHAPE_H_
