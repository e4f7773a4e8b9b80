// SPDX-License-Identifier: Apache-2.0
//
// Graphs that were quantized elsewhere: real operators between dequantize and quantize.
#ifndef VTA_COMPILER_QUANTIZE_MERGE_QUANTIZED_H_
#define VTA_COMPILER_QUANTIZE_MERGE_QUANTIZED_H_

#include <map>

#include "compiler/graph/graph.h"
#include "compiler/quantize/integer_layer.h"

namespace vta::quantize {

// Replaces real operators between int8 tensors by integer operators, which keep the scales and zero
// points:
//
//   quantize(conv2d(dequantize(x), w, b))          ->  qconv2d(x, w, b, factors)   likewise dense
//   quantize(add(dequantize(a), dequantize(b)))    ->  qadd(a, b)
//   quantize(avg_pool2d(dequantize(x)))            ->  qavg_pool2d(x)
//   quantize(f(dequantize(x)))                     ->  lookup(x, table)
//   quantize(concat(dequantize(x), ...))           ->  concat(x requantized, ...)
//   quantize(dequantize(x))                        ->  x, or x requantized
//   move(dequantize(x))                            ->  dequantize(move(x))
//
// also with relus and clips before the quantize. The dequantize after a result may have another
// scale or zero point than the quantize before it. A convolution whose only use is requantized gets
// the second scale instead, unless the rounding to the first, which that skips, is too coarse.
// Operators whose weights are not multiples of a unit per channel, or whose results do not fit 32
// bits, stay real. Scales that are powers of two without zero points need shifts only. Results are
// within one level of ONNX Runtime's: halves round up, and factors have a limited number of bits
// (runtime/tensor/free_scales.h). A leaky relu about a zero point above 0 may be two levels off:
// its slope has 8 bits. Returns whether the graph changed.
bool merge_quantized(graph::Graph& graph);

// The same, for graphs that are refined afterwards (refine_free.h).
struct Merged {
  bool changed = false;
  std::map<graph::NodeId, IntegerLayer> layers;
};
Merged merge_quantized_layers(graph::Graph& graph);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_MERGE_QUANTIZED_H_
