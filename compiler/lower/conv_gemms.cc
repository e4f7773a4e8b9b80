// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_gemms.h"

#include <utility>

#include "compiler/lower/gemm_distance.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

// Replaces two loops over pixels by the inner one if their elements are one run.
bool merge_loops(isa::Instruction& gemm) {
  if (gemm.iter_in == 1) {
    gemm.iter_in = gemm.iter_out;
    gemm.dst_factor_in = gemm.dst_factor_out;
    gemm.src_factor_in = gemm.src_factor_out;
  } else if (gemm.iter_out > 1) {
    const bool is_run = gemm.dst_factor_out == gemm.iter_in * gemm.dst_factor_in &&
                        gemm.src_factor_out == gemm.iter_in * gemm.src_factor_in;
    if (!is_run) return false;
    gemm.iter_in *= gemm.iter_out;
  }
  gemm.iter_out = 1;
  gemm.dst_factor_out = gemm.src_factor_out = 0;
  return true;
}

}  // namespace

ConvGemms::ConvGemms(const ConvPlan& plan, const AccHalves& acc, LayerContext& context,
                     StreamBuilder& stream)
    : plan_(plan), acc_(acc), context_(context), stream_(stream) {}

void ConvGemms::multiply(const OutputTile& tile, const ConvTerm& term, const TermWindow& window,
                         const ChunkLoads::Slots& slots) {
  const bool split = stream_.split();
  const KernelBases bases{acc_.tile(tile.half()), slots.inp, slots.wgt};
  auto kernels = phase_kernels(plan_, tile, term, window, bases, split);
  if (kernels.empty()) return;  // the term reads only padding
  std::vector<isa::Instruction> loops;
  for (const PhaseKernel& kernel : kernels) loops.push_back(loops_of(tile.pixels, kernel, window));
  if (kernels.size() == 1) loop_over_blocks(tile, term, kernels[0], loops[0]);
  if (!split && std::exchange(cleared_tile_, tile.index) != tile.index) clear(tile);
  context_.gemm_distance > 1 ? add_separated(kernels, loops) : add_gemms(kernels, loops);
}

void ConvGemms::add_gemms(const std::vector<PhaseKernel>& kernels,
                          const std::vector<isa::Instruction>& loops) {
  std::vector<UopCache::Kernel> words;
  std::vector<isa::Instruction> gemms;
  for (const auto uops : {&PhaseKernel::overwriting, &PhaseKernel::adding}) {
    for (size_t i = 0; i < kernels.size(); ++i) {
      if ((kernels[i].*uops).empty()) continue;
      UopCache::Kernel& kernel = words.emplace_back();
      for (const isa::Uop& uop : kernels[i].*uops)
        kernel.push_back(isa::encode(uop, context_.core));
      gemms.push_back(loops[i]);
      gemms.back().reset = uops == &PhaseKernel::overwriting ? 1 : 0;
    }
  }
  const std::vector<uint32_t> uop_bgns = context_.place_kernels(words);
  for (size_t i = 0; i < gemms.size(); ++i) {
    gemms[i].uop_bgn = uop_bgns[i];
    gemms[i].uop_end = uop_bgns[i] + u32(static_cast<int64_t>(words[i].size()));
    stream_.add(gemms[i]);
  }
}

// Micro-ops differ from one output block to the next by constants only. If one loop suffices for
// the pixels, the other one is over output blocks, and the kernel is that of one block. A core with
// pixel pairs wants one loop for a single block, too: only pixels of the inner loop are pairs.
void ConvGemms::loop_over_blocks(const OutputTile& tile, const ConvTerm& term, PhaseKernel& kernel,
                                 isa::Instruction& loops) const {
  const bool is_one = tile.blocks.tco == 1;
  if (plan_.shape.groups > 1 || (is_one && context_.core.pixels == 1)) return;
  if (!merge_loops(loops) || is_one) return;
  const uint32_t second_block = acc_.tile(tile.half()) + u32(plan_.pitch);
  for (const auto uops : {&PhaseKernel::overwriting, &PhaseKernel::adding})
    std::erase_if(kernel.*uops, [&](const isa::Uop& uop) { return uop.dst >= second_block; });
  loops.iter_out = u32(tile.blocks.tco);
  loops.dst_factor_out = u32(plan_.pitch);
  loops.src_factor_out = 0;
  loops.wgt_factor_out = u32(term.num_ic * term.num_rows * term.num_columns);
}

void ConvGemms::add_separated(const std::vector<PhaseKernel>& kernels,
                              const std::vector<isa::Instruction>& loops) {
  for (size_t i = 0; i < kernels.size(); ++i) {
    for (const GemmKernel& part : separated({loops[i], kernels[i].adding}, context_.gemm_distance,
                                            context_.core.uop_depth())) {
      std::vector<uint32_t> words;
      for (const isa::Uop& uop : part.uops) words.push_back(isa::encode(uop, context_.core));
      isa::Instruction gemm = part.loops;
      gemm.uop_bgn = context_.place_kernel(words);
      gemm.uop_end = gemm.uop_bgn + u32(static_cast<int64_t>(words.size()));
      stream_.add(gemm);
    }
  }
}

// Clears the tile with the ALU's micro-op of the tile.
void ConvGemms::clear(const OutputTile& tile) {
  const int64_t pixels = tile.pixels.elems(), blocks = tile.blocks.tco;
  isa::Instruction gemm;
  gemm.opcode = isa::kGemm;
  gemm.reset = 1;
  gemm.uop_bgn = acc_.alu_uop(context_, Operands::kTile, tile.half());
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
