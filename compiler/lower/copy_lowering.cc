// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/copy_lowering.h"

#include <algorithm>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_shape.h"
#include "hw/isa/instruction.h"

namespace vta::lower {

using program::InstructionIndex;
using program::StreamBuilder;

int64_t copy_tile_elems(int64_t num_elems, const CoreConfig& core) {
  const int64_t room = core.acc_depth() / 2;
  return ceil_div(num_elems, ceil_div(num_elems, room));
}

StreamBuilder lower_copy(program::DramAddress source, program::DramAddress destination,
                         int64_t num_elems, LayerContext& context) {
  StreamBuilder stream(context.core, context.split);
  const int64_t tile_elems = copy_tile_elems(num_elems, context.core);
  const AccHalves acc(context.core, tile_elems, 0, 0, 0);
  // A split LOAD leaves OUT alone; an ALU pass that changes nothing brings the bytes there.
  const std::vector<AluPass> passes = {{isa::kMax, Operands::kTile, INT8_MIN}};
  const InstructionIndex uops = acc.load_alu_uops(context, stream);
  InstructionIndex last_store[2] = {program::kNoInstruction, program::kNoInstruction};
  int half = 0;
  for (int64_t first = 0; first < num_elems; first += tile_elems, half ^= 1) {
    const int64_t elems = std::min(tile_elems, num_elems - first);
    const uint64_t offset = static_cast<uint64_t>(first) * context.core.out_elem_bytes();
    isa::Instruction run;
    run.y_size = 1;
    run.x_size = run.x_stride = static_cast<uint32_t>(elems);
    run.sram_base = acc.tile(half);
    run.opcode = isa::kLoad;
    run.memory = isa::kAcc8Bit;
    // A plain LOAD writes OUT, which the store of the tile before last may still read.
    stream.add(run, source + offset, {context.split ? program::kNoInstruction : last_store[half]});
    const InstructionIndex alu =
        acc.add_passes(stream, passes, half, {1, elems, 0}, {uops, last_store[half]});
    run.opcode = isa::kStore;
    run.memory = isa::kOut;
    last_store[half] = stream.add(run, destination + offset, {alu});
  }
  return stream;
}

}  // namespace vta::lower
