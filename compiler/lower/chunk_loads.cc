// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/chunk_loads.h"

#include <utility>

#include "compiler/lower/input_loads.h"
#include "compiler/lower/tiling_sizes.h"

namespace vta::lower {

ChunkLoads::ChunkLoads(const ConvPlan& plan, const std::vector<OutputTile>& tiles,
                       DramAddress input, const ConvWeights& weights,
                       const std::optional<MatricesOfImages>& matrices, LayerContext& context,
                       StreamBuilder& stream)
    : plan_(plan),
      tiles_(tiles),
      input_(input),
      matrices_(matrices),
      context_(context),
      stream_(stream),
      inp_(isa::kInp, plan.inp_slot_depth, plan.tiling.inp_slots,
           inp_slot_elems(plan.shape, plan.tiling), stream),
      wgt_(isa::kWgt, context.core.wgt_depth() - residual_wgt_elems(plan.tiling),
           plan.tiling.wgt_slots, wgt_slot_elems(plan.shape, plan.tiling), stream),
      weights_(weights, plan, context) {
  for (const std::vector<ConvTerm>& terms : plan.terms) {
    first_chunk_.push_back(num_chunks_);
    num_chunks_ += static_cast<int64_t>(terms.size());
  }
}

ChunkLoads::Slots ChunkLoads::load(const OutputTile& tile, size_t term, const TermWindow& window) {
  const int64_t input = input_chunk(tile, term), weights = weight_chunk(tile, term);
  SlotRing::Slot& inp = inp_.find_or_take(input);
  SlotRing::Slot& wgt = wgt_.find_or_take(weights);
  const ConvTerm& what = plan_.terms_of(tile)[term];
  // Weights first: a layer's first inputs may wait for stores of the layer before.
  load_weights(what, weights, wgt);
  if (std::exchange(inp.chunk, input) != input) {
    const std::vector<Transfer> transfers = input_transfers(tile, what, window, inp);
    if (!std::exchange(has_loaded_input_, true)) load_weights_ahead(transfers.front());
    for (const Transfer& load : transfers) stream_.add(load.instruction, load.address);
  }
  return {inp.base, wgt.base};
}

// While the load stage would wait for the layer before to store the first input, it loads the
// weights of later terms. All slots are free.
void ChunkLoads::load_weights_ahead(const Transfer& first_input) {
  int64_t slots = plan_.tiling.wgt_slots - 1;  // without that of the first term
  for (const OutputTile& tile : tiles_) {
    for (size_t i = 0; i < plan_.terms_of(tile).size(); ++i) {
      const int64_t chunk = weight_chunk(tile, i);
      const ConvTerm& term = plan_.terms_of(tile)[i];
      if (wgt_.holds(chunk) || plan_.window_of(term, tile.pixels).is_empty()) continue;
      if (slots-- == 0) return;
      if (stream_.wait_for_stores(first_input.instruction, first_input.address) == 0) return;
      load_weights(term, chunk, wgt_.find_or_take(chunk));
    }
  }
}

int64_t ChunkLoads::input_image(const OutputTile& tile) const {
  return matrices_ ? matrices_->inputs[static_cast<size_t>(tile.pixels.n)] : tile.pixels.n;
}

// Without groups, all tiles of the same pixels use the same input chunks.
int64_t ChunkLoads::input_chunk(const OutputTile& tile, size_t term) const {
  const bool shared = plan_.shape.groups == 1;
  const int64_t chunks = shared ? static_cast<int64_t>(plan_.terms[0].size()) : num_chunks_;
  const int64_t first = shared ? 0 : first_chunk_[static_cast<size_t>(tile.blocks.index)];
  const int64_t tiles_of_image = (tiles_.back().pixels.index + 1) / plan_.shape.image_groups;
  const int64_t pixels = tile.pixels.index + (input_image(tile) - tile.pixels.n) * tiles_of_image;
  return pixels * chunks + first + static_cast<int64_t>(term);
}

int64_t ChunkLoads::weight_chunk(const OutputTile& tile, size_t term) const {
  const int64_t matrix = matrices_ ? matrices_->weights[static_cast<size_t>(tile.pixels.n)] : 0;
  return matrix * num_chunks_ + first_chunk_[static_cast<size_t>(tile.blocks.index)] +
         static_cast<int64_t>(term);
}

std::vector<Transfer> ChunkLoads::input_transfers(const OutputTile& tile, const ConvTerm& term,
                                                  const TermWindow& window,
                                                  const SlotRing::Slot& slot) const {
  const auto& [rows, columns] = window;
  InputChunk chunk;
  chunk.n = input_image(tile);
  chunk.block = term.ic;
  chunk.num_blocks = term.num_ic;
  chunk.row_stride = rows.stride;
  chunk.rows = clip_range(rows.first, rows.stride, rows.count, plan_.shape.rows.in);
  chunk.columns = clip_range(columns.first, 1, columns.count, plan_.shape.columns.in);
  return input_loads(plan_.shape, chunk, input_, slot.base, plan_.inp_block_elems, context_);
}

void ChunkLoads::load_weights(const ConvTerm& term, int64_t chunk, SlotRing::Slot& slot) {
  if (std::exchange(slot.chunk, chunk) == chunk) return;
  const Transfer load = weights_.load(term, chunk, slot.base);
  stream_.add(load.instruction, load.address);
}

}  // namespace vta::lower
