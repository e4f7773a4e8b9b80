// SPDX-License-Identifier: Apache-2.0
//
// Border: the outputs of a convolution whose windows reach padding that stands for a zero point.
//
// LOAD pads with zeros, so the sum of such an output lacks zero * w for every tap in the padding.
// The ALU adds it, by corrections of each channel in ACC. There are two forms of them:
//
// - loaded with the bias: outputs whose windows have the same taps in the padding have one
//   correction. Along an axis, outputs with the same taps in the padding are a class; class 0 has
//   none.
// - computed by GEMM (border_gemms.h): each tap has one, zero * w, for all outputs for which it is
//   in the padding.
#ifndef VTA_COMPILER_LOWER_BORDER_H_
#define VTA_COMPILER_LOWER_BORDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "runtime/tensor/tensor.h"

namespace vta::lower {

class Border {
 public:
  // Nothing to correct.
  Border() = default;
  // `zero`: the value of padding; 0 leaves nothing to correct. `in_gemm`: GEMM computes them.
  Border(const ConvShape& shape, int64_t zero, bool in_gemm = false);

  // Number of corrections, each an element of ACC per output block.
  int64_t num_corrections() const;
  // Whether there are some that GEMM computes.
  bool in_gemm() const { return !taps_.empty(); }
  int64_t num_in_gemm() const { return in_gemm() ? num_corrections() : 0; }
  int64_t num_loaded() const { return in_gemm() ? 0 : num_corrections(); }

  // The taps of the corrections that GEMM computes, in order.
  struct Tap {
    int64_t row = 0, column = 0;
  };
  const std::vector<Tap>& taps() const { return taps_; }

  // The loaded corrections of all output channels, in order. `weights`: int8 [oc, ic / groups, kh,
  // kw].
  std::vector<std::vector<int32_t>> corrections(const Tensor& weights) const;

  // Outputs [begin, begin + size) of each axis that have one correction.
  struct Rectangle {
    int64_t correction;
    AxisTile rows, columns;
  };
  // The rectangles of a tile that have corrections.
  std::vector<Rectangle> rectangles(const AxisTile& rows, const AxisTile& columns) const;

  // The number of rectangles of all pairs of one of `rows` and one of `columns`, and of outputs in
  // them.
  struct Counts {
    int64_t rectangles = 0, outputs = 0;
  };
  Counts counts(std::span<const AxisTile> rows, std::span<const AxisTile> columns) const;

 private:
  struct Classes {
    std::vector<std::vector<bool>> padding;  // by class: which taps are in the padding
    std::vector<int64_t> of_output;
  };
  // For each output of an axis: 1 if it reads a tap in the padding, else 0.
  struct TapOutputs {
    std::vector<int64_t> rows, columns;
  };
  static Classes classes_of(const ConvAxis& axis);
  void list_taps();
  Counts counts_of_taps(std::span<const AxisTile> rows, std::span<const AxisTile> columns) const;
  std::vector<Rectangle> rectangles_of_taps(const AxisTile& rows, const AxisTile& columns) const;
  int64_t num_column_classes() const { return static_cast<int64_t>(columns_.padding.size()); }

  int64_t zero_ = 0;
  Classes rows_, columns_;               // empty if there is nothing to correct
  std::vector<Tap> taps_;                // of corrections that GEMM computes
  std::vector<TapOutputs> tap_outputs_;  // likewise
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_BORDER_H_
