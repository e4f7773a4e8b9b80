// SPDX-License-Identifier: Apache-2.0
//
// ConvGemms: the gemm stage of a convolution. Each phase of a term is one GEMM over the tile's
// pixels, or two if some micro-ops overwrite. Micro-ops stay in UOP for later tiles.
#ifndef VTA_COMPILER_LOWER_CONV_GEMMS_H_
#define VTA_COMPILER_LOWER_CONV_GEMMS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/chunk_loads.h"
#include "compiler/lower/conv_plan.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/phase_kernels.h"

namespace vta::lower {

class ConvGemms {
 public:
  // All references outlive the object.
  ConvGemms(const ConvPlan& plan, const AccHalves& acc, LayerContext& context,
            StreamBuilder& stream);

  // Appends the GEMMs that add a term to the tile. Without split instructions, clears the tile
  // before its first term.
  void multiply(const OutputTile& tile, const ConvTerm& term, const TermWindow& window,
                const ChunkLoads::Slots& slots);

 private:
  void loop_over_blocks(const OutputTile& tile, const ConvTerm& term, PhaseKernel& kernel,
                        isa::Instruction& loops) const;
  // Appends a GEMM for the micro-ops of each kernel that overwrite, then for those that add.
  void add_gemms(const std::vector<PhaseKernel>& kernels,
                 const std::vector<isa::Instruction>& loops);
  // Appends GEMMs whose micro-ops on one accumulator are a distance apart.
  void add_separated(const std::vector<PhaseKernel>& kernels,
                     const std::vector<isa::Instruction>& loops);
  void clear(const OutputTile& tile);
  isa::Instruction loops_of(const PixelTile& pixels, const PhaseKernel& kernel,
                            const TermWindow& window) const;

  const ConvPlan& plan_;
  const AccHalves& acc_;
  LayerContext& context_;
  StreamBuilder& stream_;
  int64_t cleared_tile_ = -1;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_GEMMS_H_
