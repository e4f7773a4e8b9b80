// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_gemms.h"

#include <utility>

#include "compiler/lower/transfer.h"

namespace vta::lower {

ConvGemms::ConvGemms(const ConvPlan& plan, const AccHalves& acc, LayerContext& context,
                     program::StreamBuilder& stream)
    : plan_(plan), acc_(acc), context_(context), stream_(stream) {}

void ConvGemms::multiply(const OutputTile& tile, const ConvTerm& term, const TermWindow& window,
                         const ChunkLoads::Slots& slots) {
  const bool split = stream_.split();
  const KernelBases bases{acc_.tile(tile.half()), slots.inp, slots.wgt};
  const auto kernels = phase_kernels(plan_, tile, term, window, bases, split);
  if (kernels.empty()) return;  // the term reads only padding
  uint32_t uop = place(kernels);
  if (!split && std::exchange(cleared_tile_, tile.index) != tile.index) clear(tile);
  for (const auto uops : {&PhaseKernel::overwriting, &PhaseKernel::adding}) {
    for (const PhaseKernel& kernel : kernels) {
      if ((kernel.*uops).empty()) continue;
      isa::Instruction gemm = loops_of(tile.pixels, kernel, window);
      gemm.reset = uops == &PhaseKernel::overwriting ? 1 : 0;
      gemm.uop_bgn = uop;
      uop += static_cast<uint32_t>((kernel.*uops).size());
      gemm.uop_end = uop;
      stream_.add(gemm);
    }
  }
}

// Places the kernels in UOP as one, with all that overwrites first; returns the index of its first
// micro-op.
uint32_t ConvGemms::place(const std::vector<PhaseKernel>& kernels) {
  std::vector<uint32_t> words;
  for (const auto uops : {&PhaseKernel::overwriting, &PhaseKernel::adding}) {
    for (const PhaseKernel& kernel : kernels) {
      for (const isa::Uop& uop : kernel.*uops) words.push_back(isa::encode(uop, context_.core));
    }
  }
  return context_.place_kernel(words);
}

// Clears the tile with the ALU's micro-op of the tile.
void ConvGemms::clear(const OutputTile& tile) {
  const int64_t pixels = tile.pixels.elems(), blocks = tile.blocks.tco;
  isa::Instruction gemm;
  gemm.opcode = isa::kGemm;
  gemm.reset = 1;
  gemm.uop_bgn = acc_.alu_uop(Operands::kTileBias, tile.half());
  gemm.uop_end = gemm.uop_bgn + 1;
  gemm.iter_out = u32(blocks);
  gemm.iter_in = u32(pixels);
  gemm.dst_factor_out = blocks > 1 ? u32(plan_.pitch) : 0;
  gemm.dst_factor_in = pixels > 1 ? 1 : 0;
  stream_.add(gemm);
}

// The loops of a GEMM over the kernel's outputs, without micro-ops.
isa::Instruction ConvGemms::loops_of(const PixelTile& pixels, const PhaseKernel& kernel,
                                     const TermWindow& window) const {
  const ConvAxis &rows = plan_.shape.rows, &columns = plan_.shape.columns;
  const int64_t height = kernel.rows.size, width = kernel.columns.size;
  isa::Instruction gemm;
  gemm.opcode = isa::kGemm;
  gemm.iter_out = u32(height);
  gemm.iter_in = u32(width);
  if (height > 1) {
    gemm.dst_factor_out = u32(rows.num_phases() * pixels.row_elems());
    gemm.src_factor_out = u32(rows.in_stride() / window.rows.stride * window.columns.count);
  }
  if (width > 1) {
    gemm.dst_factor_in = u32(columns.num_phases());
    gemm.src_factor_in = u32(columns.in_stride());
  }
  return gemm;
}

}  // namespace vta::lower
