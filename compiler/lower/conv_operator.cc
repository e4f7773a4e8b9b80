// SPDX-License-Identifier: Apache-2.0
//
// The core operators qconv2d, qconv2d_transpose and qdense: from a node of the graph to a
// ConvLayer.
#include <optional>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/border.h"
#include "compiler/lower/conv_constants.h"
#include "compiler/lower/conv_lowering.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/maximum_counts.h"
#include "compiler/lower/searched_layer.h"
#include "configs/core_timing.h"
#include "runtime/tensor/free_scales.h"

namespace vta::lower {
namespace {

using graph::Node;

// Whether a tile of one output fits half of ACC, with the corrections of the border.
bool fits_accumulators(const PartitionState& state, const Node& conv) {
  if (!conv.attrs.scaled && conv.attrs.zero == 0) return true;
  const ConvShape shape =
      conv_shape_of(conv.kind, conv.attrs, state.operand(conv, 0).type, conv.type, state.core);
  const int64_t corrections = Border(shape, conv.attrs.zero).num_corrections();
  return corrections + kMinScaledHalfElems <= state.core.acc_depth() / 2;
}

// The first convolution is on the host if the caller wants it there. Inside a network, lanes that
// few input channels leave idle cost less than two transfers to the host.
std::optional<HostReason> convolution_obstacle(const PartitionState& state, const Node& node) {
  const bool thin = state.operand(node, 0).type.shape[1] < state.core.block_in;
  const bool is_first = !state.after_convolution.contains(node.inputs[0]);
  if (thin && is_first && !state.thin_first_convolution) return HostReason::kFirstConvolution;
  if (!fits_accumulators(state, node)) return HostReason::kTooLarge;
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    if (!state.graph.is_constant(node.inputs[i])) return HostReason::kVariableWeights;
  }
  return std::nullopt;
}

ResidualAdd residual_of(const CoreStepRequest& step) {
  const Node& add = step.graph.node(step.add->node);
  const bool second = step.add->residual_operand == 1;
  const AddFactors factors{second ? add.attrs.factor_a : add.attrs.factor_b,
                           second ? add.attrs.factor_b : add.attrs.factor_a,
                           static_cast<int32_t>(add.attrs.addend)};
  return {step.operands.at(1), second ? add.attrs.shift_a : add.attrs.shift_b,
          second ? add.attrs.shift_b : add.attrs.shift_a, factors,
          requantization_of(add.attrs, add.name)};
}

// With the axes of the max pool in its stream; nullptr: none.
ConvShape shape_of(const graph::Graph& graph, const Node& conv, const Node* pool,
                   const CoreConfig& core) {
  ConvShape shape =
      conv_shape_of(conv.kind, conv.attrs, graph.node(conv.inputs[0]).type, conv.type, core);
  if (pool != nullptr) {
    shape.rows.pool = window_axis(pool->attrs, conv.type, pool->type, 0);
    shape.columns.pool = window_axis(pool->attrs, conv.type, pool->type, 1);
  }
  return shape;
}

// Cycles of a max pool as a layer of its own: its loads and its passes are in one queue.
double pool_layer_cycles(const ConvShape& pooled, const CoreConfig& core) {
  const WindowAxis &rows = *pooled.rows.pool, &columns = *pooled.columns.pool;
  const int64_t load = rows.in * columns.in * core.out_elem_bytes() / kBeatBytes;
  const int64_t passes = maximum_cycles(rows, columns, rows.out, columns.out, core);
  return static_cast<double>(pooled.image_groups * pooled.oc_blocks * (load + passes));
}

// Whether the epilogue of free scales preserves order: no sum wraps.
bool is_monotonic(const graph::Graph& graph, const Node& conv) {
  if (!conv.attrs.scaled) return true;
  const Tensor& weights = graph.node(conv.inputs[1]).value;
  const auto biases = graph.node(conv.inputs[2]).value.data<int32_t>();
  const auto factors = graph.node(conv.inputs[3]).value.data<int32_t>();
  const size_t row = weights.data<int8_t>().size() / biases.size();
  for (size_t c = 0; c < biases.size(); ++c) {
    if (factors[c] < 0 || !never_wraps(weights.data<int8_t>().subspan(c * row, row),
                                       conv.attrs.pre_shift, factors[c], biases[c])) {
      return false;
    }
  }
  return true;
}

bool fuses_pool(const graph::Graph& graph, const Node& conv, const Node& pool,
                LayerContext& context) {
  if (conv.kind != OpKind::kQConv2d || !context.split) return false;
  if (!is_monotonic(graph, conv)) return false;
  if (max_product_sum(graph, conv) > int64_t{1} << kPoolPaddingBits) return false;
  ConvLayer alone, pooled;
  alone.requantization = pooled.requantization = requantization_of(graph, conv);
  alone.zero = pooled.zero = conv.attrs.zero;
  alone.shape = shape_of(graph, conv, nullptr, context.core);
  pooled.shape = shape_of(graph, conv, &pool, context.core);
  const auto& tiling = found_tiling(tiling_problem(pooled, context), context);
  if (!tiling) return false;
  const auto& unpooled = found_tiling(tiling_problem(alone, context), context);
  return tiling->tiling.cost.total_cycles <=
         unpooled->tiling.cost.total_cycles + pool_layer_cycles(pooled.shape, context.core);
}

ConvLayer layer_of(const CoreStepRequest& step) {
  const Node& conv = step.node;
  const auto constant = [&](size_t i) { return step.graph.node(conv.inputs[i]).value; };
  ConvLayer layer;
  layer.shape = shape_of(step.graph, conv, step.pool, step.context.core);
  layer.requantization = requantization_of(step.graph, conv);
  layer.zero = conv.attrs.zero;
  layer.input = step.operands.at(0);
  layer.output = step.result;
  layer.weights = conv.kind == OpKind::kQConv2dTranspose
                      ? as_convolution_weights(constant(1), conv.attrs.groups)
                      : constant(1);
  layer.bias = constant(2);
  if (conv.inputs.size() > 3) layer.numbers = constant(3);
  if (step.add != nullptr) layer.residual = residual_of(step);
  return layer;
}

std::string lower_convolution_step(const CoreStepRequest& step) {
  return lower_searched(layer_of(step), step.context);
}

}  // namespace

constinit const CoreLowering kConvolutionLowering = {
    .obstacle = convolution_obstacle,
    .lower = lower_convolution_step,
    .arena_operands = size_t{1},
    .bound = ResultBound::kClip,
    .is_view = false,
    .can_fuse_add = true,
    .fuses_pool = fuses_pool,
};

}  // namespace vta::lower
