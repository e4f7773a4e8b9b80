// SPDX-License-Identifier: Apache-2.0
//
// Lowering of views: a copy inside the arena, for an operand that two views need at two places.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/core_lowerings.h"
#include "hw/isa/instruction.h"
#include "runtime/program/program.h"

namespace vta::lower {
namespace {

std::optional<HostReason> view_obstacle(const PartitionState& state, const graph::Node& node) {
  std::vector<TensorType> types;
  bool any_on_core = false;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    types.push_back(state.operand(node, i).type);
    any_on_core |= state.is_image_on_core(state.operand(node, i));
  }
  if (!any_on_core) return HostReason::kHostOperand;
  if (!view_offsets(node.kind, node.attrs, types, node.type, state.core))
    return HostReason::kSplitsBlocks;
  return std::nullopt;
}

// Elements of a tile.
int64_t copy_tile_elems(int64_t num_elems, const CoreConfig& core) {
  const int64_t capacity = core.acc_depth() / 2;
  return ceil_div(num_elems, ceil_div(num_elems, capacity));
}

// Copies `num_elems` elements of OUT through ACC.
void lower_copy(DramAddress source, DramAddress destination, int64_t num_elems,
                LayerContext& context) {
  StreamBuilder& stream = context.stream();
  const int64_t tile_elems = copy_tile_elems(num_elems, context.core);
  const AccHalves acc(context, {.tile = tile_elems});
  // A split LOAD does not write OUT; an ALU pass that computes the identity does.
  const std::vector<AluPass> passes = {{isa::kMax, Operands::kTile, INT8_MIN}};
  int& half = context.state.half;
  for (int64_t first = 0; first < num_elems; first += tile_elems, half ^= 1) {
    const int64_t elems = std::min(tile_elems, num_elems - first);
    const uint64_t offset = static_cast<uint64_t>(first) * context.core.out_elem_bytes();
    isa::Instruction run;
    run.y_size = 1;
    run.x_size = run.x_stride = static_cast<uint32_t>(elems);
    run.sram_base = acc.tile(half);
    run.opcode = isa::kLoad;
    run.memory = isa::kAcc8Bit;
    stream.add(run, source + offset);
    acc.add_passes(context, passes, half, {1, elems, 0});
    run.opcode = isa::kStore;
    run.memory = isa::kOut;
    stream.add(run, destination + offset);
  }
}

std::string lower_copy_step(const CoreStepRequest& step) {
  lower_copy(step.operands.at(0), step.result, step.result_elems, step.context);
  return fmt::format("copy {}", copy_tile_elems(step.result_elems, step.context.core));
}

}  // namespace

constinit const CoreLowering kViewLowering = {
    .obstacle = view_obstacle,
    .lower = lower_copy_step,
    .arena_operands = size_t{1},
    .bound = ResultBound::kOperands,
    .is_view = true,
    .can_fuse_add = false,
};

}  // namespace vta::lower
