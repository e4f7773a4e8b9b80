// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/acc_halves.h"

namespace vta::lower {
namespace {

// Index of a micro-op in the kernel of the ALU's micro-ops.
uint32_t index_of(Operands operands, int half) {
  return half * (kAluUops / 2) + static_cast<uint32_t>(operands);
}

// Whether the second operand is a channel's constant.
bool reads_constants(Operands operands) {
  return operands == Operands::kTileBias || operands == Operands::kTileNumber ||
         operands == Operands::kTileWeight;
}

}  // namespace

AccHalves::AccHalves(LayerContext& context, const Parts& parts)
    : half_elems_(context.core.acc_depth() / 2),
      tile_elems_(static_cast<uint32_t>(parts.tile)),
      residual_elems_(static_cast<uint32_t>(parts.residual)),
      pooled_elems_(static_cast<uint32_t>(parts.pooled)),
      loaded_elems_(static_cast<uint32_t>(parts.loaded_elems)),
      blocks_(static_cast<uint32_t>(parts.blocks)),
      corrections_(static_cast<uint32_t>(parts.corrections)),
      alu_uops_(alu_uops(context.core)) {
  VTA_ASSERT(parts.elems() <= half_elems_, "a tile fits half of ACC");
}

uint32_t AccHalves::alu_uop(LayerContext& context, Operands operands, int half) const {
  return context.place_kernel(alu_uops_) + index_of(operands, half);
}

isa::Uop AccHalves::uop_of(Operands operands, int half, const Extent& extent) const {
  const auto offset = static_cast<uint32_t>(extent.first_block * extent.pitch);
  const uint32_t dst = results(half) + offset, second_elem = second(half) + offset;
  // An empty part is not used, but its address may be past the end of the memory.
  const bool has_constants = bias(half) < (half + 1) * half_elems_;
  const auto constant = [&](int64_t index) {
    return has_constants ? channel_constant(half, extent.first_block, index) : dst;
  };
  switch (operands) {
    case Operands::kTile:
      return {dst, dst, 0};
    case Operands::kTileBias:
      return {dst, constant(0), 0};
    case Operands::kTileNumber:
      return {dst, loaded_elems_ > 1 ? constant(1) : dst, 0};
    case Operands::kTileResidual:
      return {dst, second_elem, 0};
    case Operands::kResidual:
      return {second_elem, second_elem, 0};
    case Operands::kTileAddend:
      return {dst, addend(half), 0};
    case Operands::kResidualTile:
      return {second_elem, dst, 0};
    case Operands::kTileWeight:
      return {dst, constant(loaded_elems_ - 1), 0};
  }
  VTA_ASSERT(false, "every kind of operands has a micro-op");
}

std::vector<uint32_t> AccHalves::alu_uops(const CoreConfig& core) const {
  std::vector<uint32_t> words(kAluUops, 0);
  for (int half = 0; half < 2; ++half) {
    for (uint32_t i = 0; i < kAluUops / 2; ++i) {
      const auto operands = static_cast<Operands>(i);
      words[index_of(operands, half)] = isa::encode(uop_of(operands, half, {}), core);
    }
  }
  return words;
}

void AccHalves::add_passes(LayerContext& context, const std::vector<AluPass>& passes, int half,
                           const Extent& extent) const {
  for (const AluPass& pass : passes) {
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.alu_opcode = pass.opcode;
    const bool is_shared = extent.first_block == 0 && pass.operands < Operands::kTileAddend;
    alu.uop_bgn = is_shared ? alu_uop(context, pass.operands, half)
                            : context.place_kernel(
                                  {isa::encode(uop_of(pass.operands, half, extent), context.core)});
    alu.uop_end = alu.uop_bgn + 1;
    alu.iter_out = static_cast<uint32_t>(extent.blocks);
    alu.iter_in = static_cast<uint32_t>(extent.pixels);
    const auto pitch = static_cast<uint32_t>(extent.blocks > 1 ? extent.pitch : 0);
    const uint32_t pixel_stride = extent.pixels > 1 ? 1 : 0;
    alu.dst_factor_out = pitch;
    alu.dst_factor_in = pixel_stride;
    if (reads_constants(pass.operands)) {
      alu.src_factor_out = extent.blocks > 1 ? loaded_elems_ : 0;
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
