// SPDX-License-Identifier: Apache-2.0
//
// Lowering of a product of two matrices that the run computes, or of many of them: a convolution
// with 1x1 taps. Its images are the first matrices, their rows as pixels; its weights are the
// second ones, loaded into WGT from the arena (ConvShape::own_weights).
#include <optional>
#include <vector>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/searched_layer.h"
#include "runtime/tensor/operand_matrices.h"

namespace vta::lower {
namespace {

// The operands are packed where they are needed, whatever their axes.
std::optional<HostReason> matrix_product_obstacle(const PartitionState& state,
                                                  const graph::Node& node) {
  const bool fits = !node.attrs.scaled || kMinScaledHalfElems <= state.core.acc_depth() / 2;
  return fits ? std::nullopt : std::optional(HostReason::kTooLarge);
}

Tensor same_for_channels(int64_t channels, int64_t value) {
  return Tensor({channels},
                std::vector<int32_t>(static_cast<size_t>(channels), static_cast<int32_t>(value)));
}

ConvLayer layer_of(const CoreStepRequest& step) {
  const graph::Node& node = step.node;
  const TensorType& a = step.graph.node(node.inputs.at(0)).type;
  ConvLayer layer;
  layer.shape = matrix_product_shape(a, node.type, step.context.core);
  const std::vector<int64_t>& b = step.graph.node(node.inputs.at(1)).type.shape;
  layer.matrices = MatricesOfImages{operand_matrices(a.shape, node.type.shape),
                                    operand_matrices(b, node.type.shape)};
  layer.requantization = requantization_of(node.attrs, node.name);
  if (!node.attrs.scaled) layer.requantization.max_sum = a.shape.back() * 128 * 128;
  layer.input = step.operands.at(0);
  layer.weights = step.operands.at(1);
  layer.output = step.result;
  layer.bias = same_for_channels(node.type.shape.back(), node.attrs.addend);
  if (node.attrs.scaled)
    layer.numbers = same_for_channels(node.type.shape.back(), node.attrs.factor_a);
  return layer;
}

std::string lower_matrix_product(const CoreStepRequest& step) {
  return lower_searched(layer_of(step), step.context);
}

}  // namespace

constinit const CoreLowering kMatrixProductLowering = {
    .obstacle = matrix_product_obstacle,
    .lower = lower_matrix_product,
    .arena_operands = size_t{2},
    .bound = ResultBound::kClip,
    .is_view = false,
    .can_fuse_add = false,
};

}  // namespace vta::lower
