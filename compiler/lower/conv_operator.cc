// SPDX-License-Identifier: Apache-2.0
//
// The core operators qconv2d, qconv2d_transpose and qdense: from a node of the graph to a
// ConvLayer.
#include "compiler/lower/conv_constants.h"
#include "compiler/lower/conv_lowering.h"
#include "compiler/lower/core_lowerings.h"

namespace vta::lower {
namespace {

using graph::Node;

// The first convolution is on the host if the caller wants it there. Inside a network, lanes that
// few input channels leave idle cost less than two transfers to the host.
bool takes_convolution(const PartitionState& state, const Node& node) {
  const bool thin = state.operand(node, 0).type.shape[1] < state.core.block_in;
  const bool is_first = !state.after_convolution.contains(node.inputs[0]);
  if (thin && is_first && !state.thin_first_convolution) return false;
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    if (!state.graph.is_constant(node.inputs[i])) return false;
  }
  return true;
}

ResidualAdd residual_of(const CoreStepRequest& step) {
  const Node& add = step.graph.node(step.add->node);
  const bool second = step.add->residual_operand == 1;
  return {step.operands.at(1), second ? add.attrs.shift_a : add.attrs.shift_b,
          second ? add.attrs.shift_b : add.attrs.shift_a, requantization_of(add.attrs, add.name)};
}

ConvLayer layer_of(const CoreStepRequest& step) {
  const Node& conv = step.node;
  const auto constant = [&](size_t i) { return step.graph.node(conv.inputs[i]).value; };
  ConvLayer layer;
  layer.shape = conv_shape_of(conv.kind, conv.attrs, step.graph.node(conv.inputs[0]).type,
                              conv.type, step.context.core);
  layer.requantization = requantization_of(conv.attrs, conv.name);
  layer.input = step.operands.at(0);
  layer.output = step.result;
  layer.weights = constant(1);
  if (conv.kind == OpKind::kQConv2dTranspose) {
    layer.weights = as_convolution_weights(layer.weights, conv.attrs.groups);
  }
  layer.bias = constant(2);
  if (conv.inputs.size() > 3) {
    layer.shifts = constant(3);
    layer.requantization.per_channel = true;
  }
  if (step.add != nullptr) layer.residual = residual_of(step);
  return layer;
}

LoweredStep lower_convolution_step(const CoreStepRequest& step) {
  const ConvLayer layer = layer_of(step);
  LayerContext& context = step.context;
  const TilingCache::Key key{layer.shape, layer.residual.has_value(),
                             layer.requantization.per_channel,
                             convolution_passes(context.style, layer.requantization).size()};
  const Tiling& tiling = context.tilings.find(key, [&] { return find_tiling(layer, context); });
  return {to_string(tiling, layer.shape), lower_convolution(layer, tiling, context)};
}

constexpr CoreLowering convolution_lowering(bool can_fuse_add) {
  return {
      .takes = takes_convolution,
      .lower = lower_convolution_step,
      .arena_operands = size_t{1},
      .bound = ResultBound::kClip,
      .is_view = false,
      .can_fuse_add = can_fuse_add,
  };
}

}  // namespace

constinit const CoreLowering kConvolutionLowering = convolution_lowering(/*can_fuse_add=*/true);
constinit const CoreLowering kDenseLowering = convolution_lowering(/*can_fuse_add=*/false);

}  // namespace vta::lower
