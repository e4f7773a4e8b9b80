// SPDX-License-Identifier: Apache-2.0
//
// ChunkLoads: the load stage of a convolution. Loads the input and weight chunks of each term into
// slots of INP and WGT, unless they are still resident.
#ifndef VTA_COMPILER_LOWER_CHUNK_LOADS_H_
#define VTA_COMPILER_LOWER_CHUNK_LOADS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lower/conv_plan.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/slot_ring.h"
#include "compiler/lower/weight_chunks.h"

namespace vta::lower {

class ChunkLoads {
 public:
  // Appends constant weights to the arena image. All references outlive the object. `tiles` is the
  // order of the tiles that load() is called for.
  // `matrices`: of a product of matrices.
  ChunkLoads(const ConvPlan& plan, const std::vector<OutputTile>& tiles, DramAddress input,
             const ConvWeights& weights, const std::optional<MatricesOfImages>& matrices,
             LayerContext& context, StreamBuilder& stream);

  // First elements of the slots of a term's chunks.
  struct Slots {
    uint32_t inp, wgt;
  };
  Slots load(const OutputTile& tile, size_t term, const TermWindow& window);

 private:
  int64_t input_image(const OutputTile& tile) const;
  int64_t input_chunk(const OutputTile& tile, size_t term) const;
  int64_t weight_chunk(const OutputTile& tile, size_t term) const;
  std::vector<Transfer> input_transfers(const OutputTile& tile, const ConvTerm& term,
                                        const TermWindow& window, const SlotRing::Slot& slot) const;
  void load_weights(const ConvTerm& term, int64_t chunk, SlotRing::Slot& slot);
  void load_weights_ahead(const Transfer& first_input);

  const ConvPlan& plan_;
  const std::vector<OutputTile>& tiles_;
  const DramAddress input_;
  const std::optional<MatricesOfImages>& matrices_;
  LayerContext& context_;
  StreamBuilder& stream_;
  SlotRing inp_, wgt_;
  const WeightChunks weights_;
  std::vector<int64_t> first_chunk_;  // of an image group's weights, by tile of blocks
  int64_t num_chunks_ = 0;            // of an image group's weights
  bool has_loaded_input_ = false;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CHUNK_LOADS_H_
