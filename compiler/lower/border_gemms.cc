// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/border_gemms.h"

#include <utility>
#include <vector>

#include "compiler/lower/transfer.h"
#include "hw/isa/instruction.h"

namespace vta::lower {

bool multiplies_border(const ConvShape& shape, const CoreConfig& core) {
  if (shape.groups == 1 || core.alu_folding > 1) return false;
  for (int64_t block = 0; block < shape.oc_blocks; ++block) {
    if (shape.input_blocks(block).size() != 1) return false;
  }
  return true;
}

void BorderGemms::start(const OutputTile& tile) {
  is_needed_ = std::exchange(blocks_in_[tile.half()], tile.blocks.index) != tile.blocks.index;
}

void BorderGemms::load_padding() {
  if (std::exchange(is_loaded_, true)) return;
  context_.stream().add(load_of_run(isa::kInp, plan_.inp_slot_depth, 1),
                        context_.inp_element(padding_));
}

void BorderGemms::multiply(const OutputTile& tile, const ConvTerm& term, uint32_t wgt) {
  if (!is_needed_ || term.pairs.empty()) return;
  // The pairs of consecutive output blocks: a micro-op per tap, a loop over blocks.
  const uint32_t acc = acc_.corrections(tile.half(), term.pairs.front().oc - tile.blocks.oc);
  std::vector<uint32_t> words;
  for (size_t i = 0; i < border_.taps().size(); ++i) {
    const int64_t y = border_.taps()[i].row - term.row, x = border_.taps()[i].column - term.column;
    if (y < 0 || y >= term.num_rows || x < 0 || x >= term.num_columns) continue;
    const isa::Uop uop{acc + static_cast<uint32_t>(i), plan_.inp_slot_depth,
                       wgt + u32(y * term.num_columns + x)};
    words.push_back(isa::encode(uop, context_.core));
  }
  if (words.empty()) return;
  load_padding();
  isa::Instruction gemm;
  gemm.opcode = isa::kGemm;
  gemm.reset = 1;  // overwrites
  gemm.uop_bgn = context_.place_kernel(words);
  gemm.uop_end = gemm.uop_bgn + u32(std::ssize(words));
  gemm.iter_out = 1;
  gemm.iter_in = u32(std::ssize(term.pairs));
  if (term.pairs.size() > 1) {
    gemm.dst_factor_in = u32(border_.num_corrections());
    gemm.wgt_factor_in = u32(term.num_rows * term.num_columns);
  }
  context_.stream().add(gemm);
}

}  // namespace vta::lower
