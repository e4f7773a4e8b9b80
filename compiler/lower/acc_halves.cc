// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/acc_halves.h"

namespace vta::lower {
namespace {

// Of a micro-op in the kernel of the ALU's micro-ops.
uint32_t index_of(Operands operands, int half) {
  return half * (kAluUops / 2) + static_cast<uint32_t>(operands);
}

}  // namespace

AccHalves::AccHalves(LayerContext& context, const Parts& parts)
    : half_elems_(context.core.acc_depth() / 2),
      tile_elems_(static_cast<uint32_t>(parts.tile)),
      residual_elems_(static_cast<uint32_t>(parts.residual)),
      pooled_elems_(static_cast<uint32_t>(parts.pooled)),
      channel_elems_(static_cast<uint32_t>(parts.channel_elems)),
      alu_uops_(alu_uops(context.core)) {
  VTA_ASSERT(parts.elems() <= half_elems_, "a tile fits half of ACC");
}

uint32_t AccHalves::alu_uop(LayerContext& context, Operands operands, int half) const {
  const auto place = [&](uint32_t dst, uint32_t src) {
    return context.place_kernel({isa::encode(isa::Uop{dst, src, 0}, context.core)});
  };
  if (operands == Operands::kTileAddend) return place(results(half), addend(half));
  if (operands == Operands::kResidualTile) return place(second(half), results(half));
  return context.place_kernel(alu_uops_) + index_of(operands, half);
}

std::vector<uint32_t> AccHalves::alu_uops(const CoreConfig& core) const {
  std::vector<uint32_t> words(kAluUops, 0);
  const auto put = [&](Operands operands, int half, uint32_t dst, uint32_t src) {
    words[index_of(operands, half)] = isa::encode(isa::Uop{dst, src, 0}, core);
  };
  for (int half = 0; half < 2; ++half) {
    // An empty part is not used, but its address may be past the end of the memory.
    const uint32_t dst = results(half);
    const uint32_t bias_or_dst = bias(half) < (half + 1) * half_elems_ ? bias(half) : dst;
    put(Operands::kTile, half, dst, dst);
    put(Operands::kTileBias, half, dst, bias_or_dst);
    put(Operands::kTileResidual, half, dst, second(half));
    put(Operands::kResidual, half, second(half), second(half));
    if (channel_elems_ > 1) put(Operands::kTileNumber, half, dst, bias(half) + 1);
  }
  return words;
}

void AccHalves::add_passes(LayerContext& context, const std::vector<AluPass>& passes, int half,
                           const Extent& extent) const {
  for (const AluPass& pass : passes) {
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.alu_opcode = pass.opcode;
    alu.uop_bgn = alu_uop(context, pass.operands, half);
    alu.uop_end = alu.uop_bgn + 1;
    alu.iter_out = static_cast<uint32_t>(extent.blocks);
    alu.iter_in = static_cast<uint32_t>(extent.pixels);
    const auto pitch = static_cast<uint32_t>(extent.blocks > 1 ? extent.pitch : 0);
    const uint32_t pixel_stride = extent.pixels > 1 ? 1 : 0;
    alu.dst_factor_out = pitch;
    alu.dst_factor_in = pixel_stride;
    if (pass.operands == Operands::kTileBias || pass.operands == Operands::kTileNumber) {
      alu.src_factor_out = extent.blocks > 1 ? channel_elems_ : 0;
    } else if (pass.operands != Operands::kTileAddend) {
      // Also with an immediate: other implementations of VTA read src then.
      alu.src_factor_out = pitch;
      alu.src_factor_in = pixel_stride;
      const bool reads_second =
          pass.operands == Operands::kTileResidual || pass.operands == Operands::kResidualTile;
      alu.use_imm = reads_second ? 0 : 1;
    }
    // REQ reads both immediate and operand; the other opcodes ignore `imm` if they read an operand.
    alu.imm = pass.imm;
    context.stream().add(alu);
  }
}

}  // namespace vta::lower
