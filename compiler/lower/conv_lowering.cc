// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_lowering.h"

#include <utility>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/chunk_loads.h"
#include "compiler/lower/conv_constants.h"
#include "compiler/lower/conv_gemms.h"
#include "compiler/lower/conv_plan.h"
#include "compiler/lower/output_transfers.h"

namespace vta::lower {
namespace {

using program::StreamBuilder;

std::vector<AluPass> passes_of(const ConvLayer& layer, AluStyle style) {
  std::vector<AluPass> passes = convolution_passes(style, layer.requantization);
  if (layer.residual) {
    const ResidualAdd& add = *layer.residual;
    const auto more =
        addition_passes(style, add.requantization, add.shift_tile, add.shift_residual);
    passes.insert(passes.end(), more.begin(), more.end());
  }
  return passes;
}

class ConvEmitter {
 public:
  ConvEmitter(const ConvLayer& layer, const Tiling& tiling, LayerContext& context)
      : layer_(layer),
        context_(context),
        plan_(layer.shape, tiling),
        stream_(context.stream()),
        channel_elems_(layer.requantization.per_channel ? 2 : 1),
        acc_(context, plan_.pitch * tiling.tco, layer.residual ? plan_.pitch * tiling.tco : 0,
             tiling.tco, channel_elems_),
        loads_(plan_, layer.input, layer.weights, context, stream_),
        bias_offset_(append_bias(layer.bias, bias_rounding(context.style, layer.requantization),
                                 layer.shifts, layer.shape, context)),
        gemms_(plan_, acc_, context, stream_),
        passes_(passes_of(layer, context.style)) {}

  void emit() {
    acc_.load_alu_uops(context_, stream_);
    int& half = context_.state.half;
    const std::vector<OutputTile> tiles = output_tiles(plan_.shape, plan_.tiling, half);
    for (const OutputTile& tile : tiles) emit_tile(tile);
    half = 1 - tiles.back().half();
  }

 private:
  void emit_tile(const OutputTile& tile) {
    load_bias(tile);
    load_residual(tile);
    for (size_t term = 0; term < plan_.terms_of(tile).size(); ++term) emit_term(tile, term);
    acc_.add_passes(stream_, passes_, tile.half(),
                    {tile.blocks.tco, tile.pixels.size(), plan_.pitch});
    store(tile);
  }

  void emit_term(const OutputTile& tile, size_t index) {
    const ConvTerm& term = plan_.terms_of(tile)[index];
    const TermWindow window = plan_.window_of(term, tile.pixels);
    if (window.is_empty()) return;
    gemms_.multiply(tile, term, window, loads_.load(tile, index, window));
  }

  void load_bias(const OutputTile& tile) {
    const int half = tile.half();
    const BlockTile& blocks = tile.blocks;
    if (std::exchange(bias_in_[half], blocks.index) == blocks.index) return;
    const uint64_t offset = bias_offset_ + static_cast<uint64_t>(blocks.oc * channel_elems_) *
                                               context_.core.acc_elem_bytes();
    stream_.add(load_of_run(isa::kAcc, acc_.bias(half), blocks.tco * channel_elems_),
                {program::DramAddress::Area::kImage, offset});
  }

  void load_residual(const OutputTile& tile) {
    if (!layer_.residual) return;
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kAcc8Bit;
    load.sram_base = acc_.residual(tile.half());
    for (const Transfer& transfer :
         output_transfers(plan_, tile, load, layer_.residual->operand, context_.core)) {
      stream_.add(transfer.instruction, transfer.address);
    }
  }

  void store(const OutputTile& tile) {
    isa::Instruction store;
    store.opcode = isa::kStore;
    store.memory = isa::kOut;
    store.sram_base = acc_.tile(tile.half());
    for (const Transfer& transfer :
         output_transfers(plan_, tile, store, layer_.output, context_.core)) {
      stream_.add(transfer.instruction, transfer.address);
    }
  }

  const ConvLayer& layer_;
  LayerContext& context_;
  const ConvPlan plan_;
  StreamBuilder& stream_;
  const int64_t channel_elems_;  // of ACC per block: bias, and shifts if per channel
  const AccHalves acc_;
  ChunkLoads loads_;
  const uint64_t bias_offset_;
  ConvGemms gemms_;
  const std::vector<AluPass> passes_;

  int64_t bias_in_[2] = {-1, -1};  // BlockTile::index of the bias that each half holds
};

// A pass with a second operand in ACC takes two cycles per vector, except with the bias, which the
// ALU keeps in a register.
double alu_cycles(const std::vector<AluPass>& passes) {
  double cycles = 0;
  for (const AluPass& pass : passes) cycles += pass.operands == Operands::kTileResidual ? 2 : 1;
  return cycles;
}

}  // namespace

Tiling find_tiling(const ConvLayer& layer, const LayerContext& context) {
  TilingProblem problem;
  problem.shape = layer.shape;
  problem.has_residual = layer.residual.has_value();
  problem.has_shifts = layer.requantization.per_channel;
  problem.split = context.split;
  problem.overlaps = context.overlaps;
  problem.alu_cycles_per_vector = alu_cycles(passes_of(layer, context.style));
  return find_tiling(problem, context.core, kReservedUops);
}

void lower_convolution(const ConvLayer& layer, const Tiling& tiling, LayerContext& context) {
  ConvEmitter(layer, tiling, context).emit();
}

}  // namespace vta::lower
