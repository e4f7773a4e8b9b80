// SPDX-License-Identifier: Apache-2.0
//
// IntegerLayer: a convolution or dense layer on levels, for any levels of its result.
#ifndef VTA_COMPILER_QUANTIZE_INTEGER_LAYER_H_
#define VTA_COMPILER_QUANTIZE_INTEGER_LAYER_H_

#include <optional>
#include <string>
#include <vector>

#include "compiler/quantize/levels.h"
#include "runtime/tensor/free_scales.h"

namespace vta::quantize {

struct IntegerLayer {
  std::string name;
  OpKind kind = OpKind::kQConv2d;
  OpAttrs attrs;  // the real layer's, and the slope of a leaky relu
  LevelOperand x;
  Tensor weights;               // int8, in the layout of the real ones
  std::vector<double> units;    // of the weights of each output channel
  std::vector<double> biases;   // real
  std::vector<int8_t> rows;     // weights by output channel
  Levels current;               // of the node that add_to() added last
  graph::NodeId quantize = -1;  // the model's, whose levels `current` has: erased by now
  double skipped_units = 0;     // sum of the units of roundings that the model has before `current`

  // Adds the layer before `position`. nullopt: results exceed 32 bits, or `to` takes no slope.
  std::optional<graph::NodeId> add_to(graph::Graph& graph, graph::NodeId position,
                                      const Levels& to) const;
  // Gives a scaled node that add_to() has added these weights, units and biases. Returns whether
  // the results fit 32 bits; otherwise the node is unchanged.
  bool update(graph::Graph& graph, graph::NodeId id) const;
};

// Whether the slope of a leaky relu applies to results with these levels: the upper limit, which
// precedes it, must keep the zero point.
inline bool takes_leak(const Levels& levels) { return levels.zero <= levels.hi; }

// A conv2d, conv2d_transpose or dense of a dequantize. For weights beyond int8, and for a
// transposed convolution of an operand with a zero point, it inserts input channels before
// `position` (wide_weights.h). nullopt if the weights are not multiples of a unit per channel, or
// if a layer of several groups needs such channels.
std::optional<IntegerLayer> integer_layer_of(graph::Graph& graph, graph::NodeId position,
                                             const graph::Node& layer);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_INTEGER_LAYER_H_
