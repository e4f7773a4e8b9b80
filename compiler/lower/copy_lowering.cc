// SPDX-License-Identifier: Apache-2.0
//
// Lowering of views: a copy inside the arena, for an operand that two views need at two places, or
// from the images [n, c, 1, 1] to the rows of a matrix [n, c], or back.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/transfer.h"
#include "hw/isa/instruction.h"
#include "runtime/program/program.h"

namespace vta::lower {
namespace {

// The elements of [n, c] or [n, c, 1, 1] in DRAM: a row for each block, or for each group of
// images.
struct ElementMatrix {
  int64_t rows, columns;
};

ElementMatrix source_of(const TensorType& type, const CoreConfig& core) {
  const int64_t groups = ceil_div(type.shape[0], core.batch);
  const int64_t blocks = ceil_div(type.shape[1], core.block_in);
  return type.shape.size() == 2 ? ElementMatrix{blocks, groups} : ElementMatrix{groups, blocks};
}

std::optional<HostReason> view_obstacle(const PartitionState& state, const graph::Node& node) {
  std::vector<TensorType> types;
  bool any_on_core = false;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    types.push_back(state.operand(node, i).type);
    any_on_core |= state.is_image_on_core(state.operand(node, i));
  }
  if (!any_on_core) return HostReason::kHostOperand;
  if (moves_rows(node.kind, types[0], node.type, state.core)) {
    const ElementMatrix source = source_of(types[0], state.core);
    return source.columns <= kMaxExtent ? std::nullopt : std::optional(HostReason::kTooLarge);
  }
  if (!view_offsets(node.kind, node.attrs, types, node.type, state.core))
    return HostReason::kSplitsBlocks;
  return std::nullopt;
}

// Elements of a tile.
int64_t copy_tile_elems(int64_t num_elems, const CoreConfig& core) {
  const int64_t capacity = core.acc_depth() / 2;
  return ceil_div(num_elems, ceil_div(num_elems, capacity));
}

// Loads the elements [first, first + elems) of the transposed matrix, one LOAD for each column.
void load_transposed(const ElementMatrix& matrix, DramAddress source, uint32_t sram_base,
                     int64_t first, int64_t elems, LayerContext& context) {
  for (int64_t done = 0; done < elems;) {
    const int64_t column = (first + done) / matrix.rows, row = (first + done) % matrix.rows;
    isa::Instruction load = load_of_run(isa::kAcc8Bit, sram_base + u32(done), 1);
    load.y_size = u32(std::min(elems - done, matrix.rows - row));
    load.x_stride = u32(matrix.columns);
    const auto element = static_cast<uint64_t>(row * matrix.columns + column);
    context.stream().add(load, source + element * context.core.out_elem_bytes());
    done += load.y_size;
  }
}

// Copies `num_elems` elements of OUT through ACC; with a matrix, transposes its elements.
void lower_copy(const std::optional<ElementMatrix>& matrix, DramAddress source,
                DramAddress destination, int64_t num_elems, LayerContext& context) {
  StreamBuilder& stream = context.stream();
  const int64_t tile_elems = copy_tile_elems(num_elems, context.core);
  const AccHalves acc(context, {.tile = tile_elems});
  // A split LOAD does not write OUT; an ALU pass that computes the identity does.
  const std::vector<AluPass> passes = {{isa::kMax, Operands::kTile, INT8_MIN}};
  int& half = context.state.half;
  for (int64_t first = 0; first < num_elems; first += tile_elems, half ^= 1) {
    const int64_t elems = std::min(tile_elems, num_elems - first);
    const uint64_t offset = static_cast<uint64_t>(first) * context.core.out_elem_bytes();
    if (matrix) {
      load_transposed(*matrix, source, acc.tile(half), first, elems, context);
    } else {
      stream.add(load_of_run(isa::kAcc8Bit, acc.tile(half), elems), source + offset);
    }
    acc.add_passes(context, passes, half, {1, elems, 0});
    isa::Instruction store = load_of_run(isa::kOut, acc.tile(half), elems);
    store.opcode = isa::kStore;
    stream.add(store, destination + offset);
  }
}

std::string lower_copy_step(const CoreStepRequest& step) {
  const graph::Node& node = step.node;
  const TensorType& from = step.graph.node(node.inputs.at(0)).type;
  std::optional<ElementMatrix> matrix;
  if (moves_rows(node.kind, from, node.type, step.context.core))
    matrix = source_of(from, step.context.core);
  lower_copy(matrix, step.operands.at(0), step.result, step.result_elems, step.context);
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
