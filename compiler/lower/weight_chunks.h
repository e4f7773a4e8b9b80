// SPDX-License-Identifier: Apache-2.0
//
// WeightChunks: where the weight chunks of a convolution are in the arena. Constants are in the
// image chunk by chunk in the order of the terms, so that a chunk is contiguous. The second operand
// of a product of matrices is one array for all chunks.
#ifndef VTA_COMPILER_LOWER_WEIGHT_CHUNKS_H_
#define VTA_COMPILER_LOWER_WEIGHT_CHUNKS_H_

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "compiler/lower/conv_plan.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {

// int8 [oc, ic / groups, kh, kw] or [oc, ic]; or, with ConvShape::own_weights, the address of a
// tensor that the run computes: WGT elements [matrix][output block][input block].
using ConvWeights = std::variant<Tensor, DramAddress>;

class WeightChunks {
 public:
  // Appends constants to the arena image. `plan` outlives the object.
  WeightChunks(const ConvWeights& weights, const ConvPlan& plan, LayerContext& context);

  // The LOAD of a term's chunk, the `chunk`-th of all matrices, to element `sram_base` of WGT.
  Transfer load(const ConvTerm& term, int64_t chunk, uint32_t sram_base) const;

 private:
  const ConvPlan& plan_;
  const uint32_t elem_bytes_;
  int64_t num_chunks_ = 0;               // of an image group
  std::vector<uint64_t> offsets_bytes_;  // of constants in the image, by chunk
  std::optional<DramAddress> operand_;   // else
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_WEIGHT_CHUNKS_H_
