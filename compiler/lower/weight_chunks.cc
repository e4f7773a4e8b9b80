// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/weight_chunks.h"

#include "compiler/lower/conv_constants.h"

namespace vta::lower {

WeightChunks::WeightChunks(const ConvWeights& weights, const ConvPlan& plan, LayerContext& context)
    : plan_(plan), elem_bytes_(context.core.wgt_elem_bytes()) {
  for (const std::vector<ConvTerm>& terms : plan.terms) num_chunks_ += std::ssize(terms);
  if (const auto* constants = std::get_if<Tensor>(&weights)) {
    offsets_bytes_ = append_weights(*constants, plan.shape, plan.terms, context);
  } else {
    VTA_ASSERT(plan.shape.own_weights && plan.row_taps.size() * plan.column_taps.size() == 1,
               "computed weights are those of a product of matrices");
    operand_ = std::get<DramAddress>(weights);
  }
}

Transfer WeightChunks::load(const ConvTerm& term, int64_t chunk, uint32_t sram_base) const {
  const auto pairs = static_cast<int64_t>(term.pairs.size());
  if (!operand_) {
    return {load_of_run(isa::kWgt, sram_base, pairs * term.num_rows * term.num_columns),
            {DramAddress::Area::kImage, offsets_bytes_[static_cast<size_t>(chunk)]}};
  }
  const ConvShape& shape = plan_.shape;
  const int64_t first =
      (chunk / num_chunks_ * shape.oc_blocks + term.pairs.front().oc) * shape.ic_blocks + term.ic;
  Transfer transfer{load_of_run(isa::kWgt, sram_base, pairs),
                    *operand_ + static_cast<uint64_t>(first) * elem_bytes_};
  if (term.num_ic < shape.ic_blocks) {
    transfer.instruction.y_size = u32(pairs / term.num_ic);
    transfer.instruction.x_size = u32(term.num_ic);
    transfer.instruction.x_stride = u32(shape.ic_blocks);
  }
  return transfer;
}

}  // namespace vta::lower
