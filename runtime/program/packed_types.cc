// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/packed_types.h"

#include <fmt/format.h>

#include "runtime/program/reported_op.h"

namespace vta {
namespace {

int64_t ceil_div(int64_t value, int64_t divisor) { return (value + divisor - 1) / divisor; }

// Outer sizes are rounded up to whole blocks.
TensorType blocked(const TensorType& type, std::vector<int64_t> outer, int64_t a, int64_t b) {
  outer.push_back(a);
  outer.push_back(b);
  return {type.dtype, std::move(outer)};
}

TensorType packed_image(const TensorType& type, const CoreConfig& core) {
  const int64_t groups = ceil_div(type.shape.at(0), core.batch);
  const int64_t blocks = ceil_div(type.shape.at(1), core.block_in);
  const bool rows_are_pixels = type.shape.size() == 2;
  return blocked(type,
                 rows_are_pixels
                     ? std::vector<int64_t>{1, blocks, groups, 1}
                     : std::vector<int64_t>{groups, blocks, type.shape.at(2), type.shape.at(3)},
                 core.batch, core.block_in);
}

TensorType packed_matrices(const TensorType& type, int64_t row_block, int64_t column_block,
                           bool rows_first) {
  std::vector<int64_t> outer(type.shape.begin(), type.shape.end() - 2);
  const int64_t rows = ceil_div(type.shape.end()[-2], row_block);
  const int64_t columns = ceil_div(type.shape.end()[-1], column_block);
  outer.push_back(columns);
  outer.push_back(rows);
  return rows_first ? blocked(type, std::move(outer), row_block, column_block)
                    : blocked(type, std::move(outer), column_block, row_block);
}

bool has_weights(OpKind op) {
  return op == OpKind::kQConv2d || op == OpKind::kQConv2dTranspose || op == OpKind::kQDense;
}

}  // namespace

std::string packed_layout(Layout layout, const CoreConfig& core) {
  switch (layout) {
    case Layout::kImages:
      return fmt::format("NCHW{}n{}c", core.batch, core.block_in);
    case Layout::kRows:
      return fmt::format("KM{}m{}k", core.batch, core.block_in);
    case Layout::kWeights:
      return fmt::format("NK{}n{}k", core.block_out, core.block_in);
  }
  return "";
}

TensorType packed_type(const TensorType& type, Layout layout, const CoreConfig& core) {
  switch (layout) {
    case Layout::kImages:
      return packed_image(type, core);
    case Layout::kRows:
      return packed_matrices(type, core.batch, core.block_in, true);
    case Layout::kWeights:
      return packed_matrices(type, core.block_in, core.block_out, false);
  }
  return type;
}

std::string packed_weight_layout(const CoreConfig& core) {
  return fmt::format("OIHW{}o{}i", core.block_out, core.block_in);
}

TensorType packed_weight_type(const TensorType& weights, const CoreConfig& core) {
  const auto size = [&](size_t axis) {
    return axis < weights.shape.size() ? weights.shape[axis] : 1;
  };
  return blocked(
      weights,
      {ceil_div(size(0), core.block_out), ceil_div(size(1), core.block_in), size(2), size(3)},
      core.block_out, core.block_in);
}

TensorType packed_channel_type(const TensorType& channels, const CoreConfig& core) {
  return {channels.dtype,
          {ceil_div(channels.shape.at(0), core.block_out), 1, 1, 1, core.block_out}};
}

TensorType weight_type(const Program& program, const ProgramStep& step) {
  if (step.kind != ProgramStep::Kind::kCore || !has_weights(step.op)) return {};
  const auto channels = [&](ValueId id) { return program.value(id).type.shape.at(1); };
  const int64_t out = channels(step.outputs.at(0)), in = channels(step.inputs.at(0));
  if (step.op == OpKind::kQDense) return {DType::kInt8, {out, in}};
  return {DType::kInt8, {out, in / step.attrs.groups, step.attrs.kernel[0], step.attrs.kernel[1]}};
}

TensorType placed_type(const Program& program, ValueId id) {
  const ProgramValue& value = program.value(id);
  return value.on_device ? packed_type(value.type, value.layout, program.core) : value.type;
}

std::vector<TensorType> placed_types(const Program& program, const ProgramStep& step) {
  std::vector<TensorType> types;
  for (const ValueId id : step.inputs) types.push_back(placed_type(program, id));
  const TensorType weights = weight_type(program, step);
  if (!weights.shape.empty()) {
    const TensorType bias{DType::kInt32, {program.value(step.outputs[0]).type.shape.at(1)}};
    types.insert(types.begin() + 1, {packed_weight_type(weights, program.core),
                                     packed_channel_type(bias, program.core)});
  }
  for (const ValueId id : step.outputs) types.push_back(placed_type(program, id));
  return types;
}

std::string kernel_name(const ProgramStep& step) {
  std::string name = reported_op(step);
  if (step.kind != ProgramStep::Kind::kCore) return name;
  if (has_weights(step.op) && step.inputs.size() > 1) name += "+qadd";
  if (step.attrs.relu) name += "+relu";
  if (step.pool) name += "+max_pool2d";
  return name;
}

}  // namespace vta
