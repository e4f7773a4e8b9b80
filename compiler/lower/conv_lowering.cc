// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_lowering.h"

#include <utility>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/chunk_loads.h"
#include "compiler/lower/conv_constants.h"
#include "compiler/lower/conv_gemms.h"
#include "compiler/lower/conv_plan.h"
#include "compiler/lower/maximum_passes.h"
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
             layer.shape.rows.pool ? plan_.result_pitch * tiling.tco : 0, tiling.tco,
             channel_elems_),
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
    if (plan_.shape.rows.pool) add_pool(tile);
    acc_.add_passes(stream_, passes_, tile.half(),
                    {tile.blocks.tco, tile.pixels.num_results(), plan_.result_pitch});
    if (plan_.shape.rows.pool)
      stream_.keep_acc(acc_.tile(tile.half()), u32(tile.blocks.tco * plan_.pitch));
    store(tile);
  }

  // Before the epilogue, which is monotonic: the maximum's requantization is the maximum of
  // requantized outputs, and has fewer elements to process.
  void add_pool(const OutputTile& tile) {
    const PixelTile& pixels = tile.pixels;
    const int64_t height = pixels.rows.elems(), width = pixels.columns.elems();
    const int64_t below = pixels.rows.pad_after, right = pixels.columns.pad_after;
    pad(tile, {0, pixels.rows.pad_before}, {0, width});
    pad(tile, {height - below, below}, {0, width});
    pad(tile, {0, height}, {0, pixels.columns.pad_before});
    pad(tile, {0, height}, {width - right, right});
    add_maximum_passes(*plan_.shape.rows.pool, *plan_.shape.columns.pool,
                       {.blocks = tile.blocks.tco,
                        .th = pixels.rows.results.size,
                        .tw = pixels.columns.results.size,
                        .results = acc_.pooled(tile.half()),
                        .input = acc_.tile(tile.half()),
                        .result_pitch = plan_.result_pitch,
                        .input_pitch = plan_.pitch},
                       context_);
  }

  // Fills a rectangle of each block with the pool's padding: numbers below all sums of products.
  void pad(const OutputTile& tile, const AxisTile& rows, const AxisTile& columns) {
    if (rows.size == 0 || columns.size == 0) return;
    const int64_t width = tile.pixels.row_elems();
    std::vector<uint32_t> words;
    for (int64_t block = 0; block < tile.blocks.tco; ++block) {
      const uint32_t dst =
          acc_.tile(tile.half()) + u32(block * plan_.pitch + rows.begin * width + columns.begin);
      words.push_back(isa::encode(isa::Uop{dst, dst, 0}, context_.core));
    }
    isa::Instruction alu;
    alu.opcode = isa::kAlu;
    alu.use_imm = 1;
    alu.uop_bgn = context_.place_kernel(words);
    alu.uop_end = alu.uop_bgn + u32(tile.blocks.tco);
    alu.iter_out = u32(rows.size);
    alu.iter_in = u32(columns.size);
    alu.dst_factor_out = rows.size > 1 ? u32(width) : 0;
    alu.dst_factor_in = columns.size > 1 ? 1 : 0;
    for (const auto& [opcode, imm] : {std::pair(isa::kMul, 0), std::pair(isa::kAdd, -1),
                                      std::pair(isa::kShr, -kPoolPaddingBits)}) {
      alu.alu_opcode = opcode;
      alu.imm = imm;
      stream_.add(alu);
    }
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
    store.sram_base = acc_.results(tile.half());
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

std::optional<Tiling> find_tiling(const ConvLayer& layer, const LayerContext& context) {
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
