// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/acc_rectangle.h"

#include "compiler/lower/transfer.h"
#include "hw/isa/instruction.h"

namespace vta::lower {
namespace {

// The loops over the rectangle. A micro-op per block, whose source is one of `operands` or, if
// there are none, the element itself.
isa::Instruction alu_on(const AccRectangle& r, const std::vector<uint32_t>& operands,
                        LayerContext& context) {
  std::vector<uint32_t> words;
  for (int64_t block = 0; block < r.blocks; ++block) {
    const uint32_t dst = u32(r.first + block * r.pitch);
    const uint32_t src = operands.empty() ? dst : operands[static_cast<size_t>(block)];
    words.push_back(isa::encode(isa::Uop{dst, src, 0}, context.core));
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

}  // namespace

void add_passes(const AccRectangle& rectangle, std::span<const AluPass> passes,
                LayerContext& context) {
  if (rectangle.is_empty()) return;
  isa::Instruction alu = alu_on(rectangle, {}, context);
  alu.use_imm = 1;
  alu.src_factor_out = alu.dst_factor_out;
  alu.src_factor_in = alu.dst_factor_in;
  for (const AluPass& pass : passes) {
    alu.alu_opcode = pass.opcode;
    alu.imm = pass.imm;
    context.stream().add(alu);
  }
}

void add_elements(const AccRectangle& rectangle, const std::vector<uint32_t>& operands,
                  LayerContext& context) {
  if (rectangle.is_empty()) return;
  isa::Instruction alu = alu_on(rectangle, operands, context);
  alu.alu_opcode = isa::kAdd;
  context.stream().add(alu);
}

}  // namespace vta::lower
