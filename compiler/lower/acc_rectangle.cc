// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/acc_rectangle.h"

#include <vector>

#include "compiler/lower/transfer.h"
#include "hw/isa/instruction.h"

namespace vta::lower {
namespace {

// The loops over the rectangle, with a micro-op per block, whose sources are `operand` and those
// every `operand_pitch` elements after.
isa::Instruction alu_on(const AccRectangle& r, int64_t operand, int64_t operand_pitch,
                        LayerContext& context) {
  std::vector<uint32_t> words;
  for (int64_t block = 0; block < r.blocks; ++block) {
    const isa::Uop uop{u32(r.first + block * r.pitch), u32(operand + block * operand_pitch), 0};
    words.push_back(isa::encode(uop, context.core));
  }
  isa::Instruction alu;
  alu.opcode = isa::kAlu;
  alu.uop_bgn = context.place_kernel(words);
  alu.uop_end = alu.uop_bgn + u32(r.blocks);
  alu.iter_out = u32(r.rows);
  alu.iter_in = u32(r.columns);
  alu.dst_factor_out = r.rows > 1 ? u32(r.width) : 0;
  alu.dst_factor_in = r.columns > 1 ? 1 : 0;
  return alu;
}

// A rectangle of one row or column leaves a loop for the blocks: one micro-op, whose source the ALU
// reads once per block, not for every element.
isa::Instruction alu_on_line(const AccRectangle& r, int64_t operand, int64_t operand_pitch,
                             LayerContext& context) {
  const int64_t size = r.rows * r.columns;
  isa::Instruction alu;
  alu.opcode = isa::kAlu;
  alu.uop_bgn =
      context.place_kernel({isa::encode(isa::Uop{u32(r.first), u32(operand), 0}, context.core)});
  alu.uop_end = alu.uop_bgn + 1;
  alu.iter_out = u32(r.blocks);
  alu.iter_in = u32(size);
  alu.dst_factor_out = r.blocks > 1 ? u32(r.pitch) : 0;
  alu.src_factor_out = r.blocks > 1 ? u32(operand_pitch) : 0;
  alu.dst_factor_in = size > 1 ? u32(r.columns > 1 ? 1 : r.width) : 0;
  return alu;
}

}  // namespace

void add_passes(const AccRectangle& rectangle, std::span<const AluPass> passes,
                LayerContext& context) {
  if (rectangle.is_empty()) return;
  isa::Instruction alu = alu_on(rectangle, rectangle.first, rectangle.pitch, context);
  alu.use_imm = 1;
  alu.src_factor_out = alu.dst_factor_out;
  alu.src_factor_in = alu.dst_factor_in;
  for (const AluPass& pass : passes) {
    alu.alu_opcode = pass.opcode;
    alu.imm = pass.imm;
    context.stream().add(alu);
  }
}

void add_elements(const AccRectangle& rectangle, int64_t operand, int64_t operand_pitch,
                  LayerContext& context) {
  if (rectangle.is_empty()) return;
  const bool is_line = rectangle.rows == 1 || rectangle.columns == 1;
  isa::Instruction alu =
      (is_line ? alu_on_line : alu_on)(rectangle, operand, operand_pitch, context);
  alu.alu_opcode = isa::kAdd;
  context.stream().add(alu);
}

}  // namespace vta::lower
