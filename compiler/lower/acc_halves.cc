// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/acc_halves.h"

#include "compiler/lower/transfer.h"

namespace vta::lower {

using program::StreamBuilder;

AccHalves::AccHalves(LayerContext& context, const Parts& parts)
    : half_elems_(context.core.acc_depth() / 2),
      tile_elems_(static_cast<uint32_t>(parts.tile)),
      residual_elems_(static_cast<uint32_t>(parts.residual)),
      pooled_elems_(static_cast<uint32_t>(parts.pooled)),
      channel_elems_(static_cast<uint32_t>(parts.channel_elems)),
      first_uop_(context.take_alu_uops()) {
  VTA_ASSERT(parts.elems() <= half_elems_, "a tile fits half of ACC");
}

uint32_t AccHalves::alu_uop(Operands operands, int half) const {
  constexpr uint32_t kPerHalf = 3;
  if (operands == Operands::kTileNumber) return first_uop_ + 2 * kPerHalf + half;
  const uint32_t index = operands == Operands::kTileResidual ? 1
                         : operands == Operands::kResidual   ? 2
                                                             : 0;
  return first_uop_ + half * kPerHalf + index;
}

void AccHalves::load_alu_uops(LayerContext& context, StreamBuilder& stream) const {
  std::vector<uint32_t> words(kAluUops, 0);
  const auto put = [&](Operands operands, int half, uint32_t dst, uint32_t src) {
    words[alu_uop(operands, half) - first_uop_] = isa::encode(isa::Uop{dst, src, 0}, context.core);
  };
  for (int half = 0; half < 2; ++half) {
    // An empty part is not used, but its address may be past the end of the memory.
    const uint32_t dst = results(half);
    const uint32_t residual_or_dst = residual_elems_ > 0 ? residual(half) : dst;
    const uint32_t bias_or_dst = bias(half) < (half + 1) * half_elems_ ? bias(half) : dst;
    put(Operands::kTileBias, half, dst, bias_or_dst);
    put(Operands::kTileResidual, half, dst, residual_or_dst);
    put(Operands::kResidual, half, residual_or_dst, residual_or_dst);
    if (channel_elems_ > 1) put(Operands::kTileNumber, half, dst, bias(half) + 1);
  }
  const uint64_t offset = context.image.append_once(words);
  stream.add(load_of_run(isa::kUop, first_uop_, kAluUops),
             {program::DramAddress::Area::kImage, offset});
}

void AccHalves::add_passes(LayerContext& context, const std::vector<AluPass>& passes, int half,
                           const Extent& extent) const {
  for (const AluPass& pass : passes) {
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.alu_opcode = pass.opcode;
    alu.uop_bgn = pass.operands == Operands::kTileAddend
                      ? context.place_kernel(
                            {isa::encode(isa::Uop{results(half), addend(half), 0}, context.core)})
                      : alu_uop(pass.operands, half);
    alu.uop_end = alu.uop_bgn + 1;
    alu.iter_out = static_cast<uint32_t>(extent.blocks);
    alu.iter_in = static_cast<uint32_t>(extent.pixels);
    const auto pitch = static_cast<uint32_t>(extent.blocks > 1 ? extent.pitch : 0);
    const uint32_t pixel_stride = extent.pixels > 1 ? 1 : 0;
    alu.dst_factor_out = pitch;
    alu.dst_factor_in = pixel_stride;
    if (pass.operands == Operands::kTileBias || pass.operands == Operands::kTileNumber) {
      alu.src_factor_out = extent.blocks > 1 ? channel_elems_ : 0;
    } else if (pass.operands == Operands::kTileAddend) {
      alu.src_factor_out = 0;
    } else if (pass.operands == Operands::kTileResidual) {
      alu.src_factor_out = pitch;
      alu.src_factor_in = pixel_stride;
    } else {
      alu.use_imm = 1;
    }
    // REQ reads both immediate and operand; the other opcodes ignore `imm` if they read an operand.
    alu.imm = pass.imm;
    context.stream().add(alu);
  }
}

}  // namespace vta::lower
