// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_lowering.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/acc_rectangle.h"
#include "compiler/lower/alu_cycles.h"
#include "compiler/lower/alu_tap.h"
#include "compiler/lower/border_gemms.h"
#include "compiler/lower/chunk_loads.h"
#include "compiler/lower/conv_constants.h"
#include "compiler/lower/conv_gemms.h"
#include "compiler/lower/conv_plan.h"
#include "compiler/lower/maximum_passes.h"
#include "compiler/lower/output_transfers.h"
#include "compiler/lower/residual_gemms.h"

namespace vta::lower {
namespace {

// The largest power of two that a weight can be.
constexpr int64_t kMaxDiagonalShift = 6;
// In how many parts the last tile is finished at most, so that stores overlap with the ALU. More
// cost more instructions than they hide.
constexpr int64_t kMaxLastParts = 4;

std::vector<AluPass> passes_of(const ConvLayer& layer, AluStyle style, bool residual_in_gemm) {
  std::vector<AluPass> passes = convolution_passes(style, layer.requantization);
  if (layer.residual) {
    const ResidualAdd& add = *layer.residual;
    const auto more = add.requantization.scaled
                          ? scaled_addition_passes(style, add.requantization, add.factors)
                          : addition_passes(style, add.requantization, add.shift_tile,
                                            residual_in_gemm ? 0 : add.shift_residual);
    passes.insert(passes.end(), more.begin(), more.end());
  }
  return passes;
}

// Elements of ACC per output block for bias and numbers.
int64_t bias_elems(const ConvLayer& layer) { return layer.requantization.has_numbers() ? 2 : 1; }

// The corrections of the layer's border. GEMM computes them if multiplies_border() and they fit.
Border border_of(const ConvLayer& layer, const LayerContext& context) {
  if (context.split && layer.zero != 0 && multiplies_border(layer.shape, context.core)) {
    Border border(layer.shape, layer.zero, /*in_gemm=*/true);
    if (border.num_corrections() + kMinScaledHalfElems <= context.core.acc_depth() / 2)
      return border;
  }
  return Border(layer.shape, layer.zero);
}

AccHalves::Parts acc_parts(const ConvLayer& layer, const ConvPlan& plan,
                           const TilingProblem& problem) {
  const int64_t tile = plan.pitch * plan.tiling.tco;
  // The copy that a leaky relu needs; after a pool it takes the place of the tile.
  const bool copies = problem.has_copy && !layer.shape.rows.pool;
  const bool has_second = problem.has_residual || copies;
  return {.tile = tile,
          .residual = has_second ? tile : 0,
          .pooled = layer.shape.rows.pool ? plan.result_pitch * plan.tiling.tco : 0,
          .blocks = plan.tiling.tco,
          .loaded_elems = loaded_elems(problem, plan.tiling),
          .corrections = problem.border.num_in_gemm(),
          .addend = problem.has_addend ? 1 : 0};
}

// Bias, numbers, corrections of the border and weights of the ALU's tap of each channel. Shifts per
// channel have their rounding constants in the bias, free scales have all of it there already.
std::vector<std::vector<int32_t>> channel_constants(const ConvLayer& layer, const ConvPlan& plan,
                                                    const Border& border, AluStyle style) {
  const Requantization& r = layer.requantization;
  const auto biases = layer.bias.data<int32_t>();
  std::vector<std::vector<int32_t>> constants(1);
  for (size_t c = 0; c < biases.size(); ++c) {
    const int32_t shift = r.per_channel ? layer.numbers.data<int32_t>()[c] : 0;
    const int32_t half = shift > 0 ? int32_t{1} << (shift - 1) : 0;
    const int32_t rounding = r.per_channel ? half : bias_rounding(style, r);
    constants[0].push_back(static_cast<int32_t>(  // wraps as the ALU does
        static_cast<uint32_t>(biases[c]) + static_cast<uint32_t>(rounding)));
  }
  if (r.has_numbers()) {
    const auto numbers = layer.numbers.data<int32_t>();
    constants.emplace_back(numbers.begin(), numbers.end());
  }
  if (border.num_loaded() > 0) {
    for (auto& correction : border.corrections(std::get<Tensor>(layer.weights)))
      constants.push_back(std::move(correction));
  }
  if (plan.alu_tap)
    constants.push_back(alu_tap_weights(std::get<Tensor>(layer.weights), *plan.alu_tap));
  return constants;
}

class ConvEmitter {
 public:
  ConvEmitter(const ConvLayer& layer, const ConvSchedule& schedule, LayerContext& context)
      : layer_(layer),
        context_(context),
        problem_(schedule.problem),
        border_(problem_.border),
        plan_(schedule, context.core),
        stream_(context.stream()),
        acc_parts_(acc_parts(layer, plan_, problem_)),
        acc_(context, acc_parts_),
        tiles_(output_tiles(plan_.shape, plan_.tiling, context.state.half)),
        loads_(plan_, tiles_, layer.input, layer.weights, layer.matrices, context, stream_),
        bias_offset_(append_channel_constants(
            channel_constants(layer, plan_, border_, context.style), layer.shape, context)),
        addend_offset_(problem_.has_addend
                           ? std::optional(append_element(context, layer.residual->factors.addend))
                           : std::nullopt),
        gemms_(plan_, acc_, context, stream_),
        passes_(passes_of(layer, context.style, plan_.tiling.residual_in_gemm)) {
    if (plan_.tiling.residual_in_gemm) {
      residual_gemms_.emplace(plan_, acc_, layer.residual->operand, layer.residual->shift_residual,
                              context);
    }
    if (border_.in_gemm()) border_gemms_.emplace(plan_, acc_, border_, layer.zero, context);
  }

  void emit() {
    for (size_t i = 0; i < tiles_.size(); ++i) {
      emit_tile(tiles_[i]);
      // While GEMM is busy with the next tile, in the other half of ACC.
      if (plan_.alu_tap && i + 2 < tiles_.size()) load_accumulators(tiles_[i + 2]);
    }
    context_.state.half = 1 - tiles_.back().half();
  }

 private:
  void emit_tile(const OutputTile& tile) {
    // Those of the first tile after its terms, so that the tokens from stores of the layer before
    // to their loads do not wait for these loads in the ALU.
    const bool is_first = tile.index == 0;
    if (!is_first && !plan_.alu_tap) load_accumulators(tile);
    if (border_gemms_) border_gemms_->start(tile);
    for (size_t term = 0; term < plan_.terms_of(tile).size(); ++term) emit_term(tile, term);
    if (is_first) load_accumulators(tile);
    if (residual_gemms_) residual_gemms_->multiply(tile);
    // The second tile's before the ALU waits for the first one's GEMM.
    if (is_first && plan_.alu_tap && tiles_.size() > 1) load_accumulators(tiles_[1]);
    add_border(tile);
    if (plan_.shape.rows.pool) add_pool(tile);
    const bool is_last = tile.index == tiles_.back().index;
    const int64_t blocks = ceil_div(tile.blocks.tco, is_last ? problem_.max_last_parts : 1);
    for (int64_t first = 0; first < tile.blocks.tco; first += blocks)
      finish(tile, first, std::min(blocks, tile.blocks.tco - first));
  }

  // Passes and stores of blocks [first, first + blocks) of the tile.
  void finish(const OutputTile& tile, int64_t first, int64_t blocks) {
    const AccHalves::Extent extent{blocks, tile.pixels.num_results(), plan_.result_pitch, first};
    acc_.add_passes(context_, passes_, tile.half(), extent);
    // Before the stores, which are not to wait for it.
    if (plan_.shape.rows.pool && first + blocks == tile.blocks.tco)
      stream_.keep_acc(acc_.tile(tile.half()), u32(tile.blocks.tco * plan_.pitch));
    OutputTile part = tile;
    part.blocks.oc += first;
    part.blocks.tco = blocks;
    isa::Instruction store;
    store.opcode = isa::kStore;
    store.memory = isa::kOut;
    store.sram_base = acc_.results(tile.half()) + u32(first * plan_.result_pitch);
    for (const Transfer& transfer :
         output_transfers(plan_, part, store, layer_.output, context_.core)) {
      stream_.add(transfer.instruction, transfer.address);
    }
  }

  // Elements of the tile from output position (row, column) of each block.
  AccRectangle rectangle(const OutputTile& tile, const AxisTile& rows,
                         const AxisTile& columns) const {
    const int64_t width = tile.pixels.row_elems();
    return {.first = acc_.tile(tile.half()) + rows.begin * width + columns.begin,
            .rows = rows.size,
            .columns = columns.size,
            .width = width,
            .blocks = tile.blocks.tco,
            .pitch = plan_.pitch};
  }

  // Completes the sums of the border.
  void add_border(const OutputTile& tile) {
    const AxisSpan &rows = tile.pixels.rows, &columns = tile.pixels.columns;
    for (const Border::Rectangle& part : border_.rectangles(rows.outputs, columns.outputs)) {
      const auto in_tile = [](const AxisSpan& span, const AxisTile& outputs) {
        return AxisTile{span.pad_before + outputs.begin - span.outputs.begin, outputs.size};
      };
      add_elements(rectangle(tile, in_tile(rows, part.rows), in_tile(columns, part.columns)),
                   corrections(tile.half()) + u32(part.correction),
                   border_.in_gemm() ? acc_parts_.corrections : acc_parts_.loaded_elems, context_);
    }
  }

  // The corrections of a tile's first block: after the bias and the numbers if they are loaded.
  uint32_t corrections(int half) const {
    return border_.in_gemm() ? acc_.corrections(half, 0)
                             : acc_.channel_constant(half, 0, bias_elems(layer_));
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
    constexpr AluPass kPasses[] = {{isa::kMul, Operands::kTile, 0},
                                   {isa::kAdd, Operands::kTile, -1},
                                   {isa::kShr, Operands::kTile, -kPoolPaddingBits}};
    add_passes(rectangle(tile, rows, columns), kPasses, context_);
  }

  void emit_term(const OutputTile& tile, size_t index) {
    const ConvTerm& term = plan_.terms_of(tile)[index];
    const TermWindow window = plan_.window_of(term, tile.pixels);
    if (window.is_empty()) return;
    const ChunkLoads::Slots slots = loads_.load(tile, index, window);
    gemms_.multiply(tile, term, window, slots);
    if (border_gemms_) border_gemms_->multiply(tile, term, slots.wgt);
  }

  void load_accumulators(const OutputTile& tile) {
    load_bias(tile);
    load_addend(tile.half());
    load_residual(tile);
  }

  void load_bias(const OutputTile& tile) {
    const int half = tile.half();
    const BlockTile& blocks = tile.blocks;
    if (std::exchange(bias_in_[half], blocks.index) == blocks.index) return;
    const int64_t elems = acc_parts_.loaded_elems;
    const uint64_t offset =
        bias_offset_ + static_cast<uint64_t>(blocks.oc * elems) * context_.core.acc_elem_bytes();
    stream_.add(load_of_run(isa::kAcc, acc_.bias(half), blocks.tco * elems),
                {DramAddress::Area::kImage, offset});
  }

  // Once per half.
  void load_addend(int half) {
    if (!addend_offset_ || std::exchange(has_addend_[half], true)) return;
    stream_.add(load_of_run(isa::kAcc, acc_.addend(half), 1),
                {DramAddress::Area::kImage, *addend_offset_});
  }

  void load_residual(const OutputTile& tile) {
    if (plan_.alu_tap_of(tile)) load_tap(tile);
    if (layer_.residual && !residual_gemms_)
      load_bytes(tile, layer_.residual->operand, acc_.residual(tile.half()));
  }

  // The products of the ALU's tap, to which GEMM adds.
  void load_tap(const OutputTile& tile) {
    load_bytes(tile, layer_.input, acc_.tile(tile.half()));
    acc_.add_passes(context_, {alu_tap_product()}, tile.half(),
                    {tile.blocks.tco, tile.pixels.num_results(), plan_.result_pitch});
  }

  // Loads what is laid out as the tile's results to `acc`.
  void load_bytes(const OutputTile& tile, DramAddress tensor, uint32_t acc) {
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kAcc8Bit;
    load.sram_base = acc;
    for (const Transfer& transfer : output_transfers(plan_, tile, load, tensor, context_.core))
      stream_.add(transfer.instruction, transfer.address);
  }

  const ConvLayer& layer_;
  LayerContext& context_;
  const TilingProblem& problem_;
  const Border& border_;
  const ConvPlan plan_;
  StreamBuilder& stream_;
  const AccHalves::Parts acc_parts_;
  const AccHalves acc_;
  const std::vector<OutputTile> tiles_;
  ChunkLoads loads_;
  const uint64_t bias_offset_;
  const std::optional<uint64_t> addend_offset_;
  ConvGemms gemms_;
  const std::vector<AluPass> passes_;
  std::optional<ResidualGemms> residual_gemms_;
  std::optional<BorderGemms> border_gemms_;

  bool has_addend_[2] = {false, false};
  int64_t bias_in_[2] = {-1, -1};  // BlockTile::index of the bias that each half holds
};

}  // namespace

int64_t max_product_sum(const graph::Graph& graph, const graph::Node& conv) {
  const TensorType& weights = graph.node(conv.inputs[1]).type;
  const size_t output_axis = conv.kind == OpKind::kQConv2dTranspose ? 1 : 0;
  return weights.num_elems() / weights.shape[output_axis] * 128 * 128;
}

Requantization requantization_of(const graph::Graph& graph, const graph::Node& conv) {
  Requantization requantization = requantization_of(conv.attrs, conv.name);
  requantization.per_channel = conv.inputs.size() > 3 && !requantization.scaled;
  if (!requantization.scaled) {
    const auto biases = graph.node(conv.inputs[2]).value.data<int32_t>();
    const int64_t bias = std::ranges::max(biases, {}, [](int64_t b) { return std::abs(b); });
    requantization.max_sum = max_product_sum(graph, conv) + std::abs(bias);
  }
  if (requantization.per_channel) {
    const auto shifts = graph.node(conv.inputs[3]).value.data<int32_t>();
    requantization.min_channel_shift = *std::ranges::min_element(shifts);
  }
  return requantization;
}

TilingProblem tiling_problem(const ConvLayer& layer, const LayerContext& context) {
  const Requantization* add = layer.residual ? &layer.residual->requantization : nullptr;
  TilingProblem problem;
  problem.shape = layer.shape;
  problem.has_residual = add != nullptr;
  problem.has_copy = layer.requantization.leak || (add != nullptr && add->leak);
  problem.border = border_of(layer, context);
  problem.channel_elems = bias_elems(layer) + problem.border.num_corrections();
  problem.has_addend = add != nullptr && add->scaled;
  problem.split = context.split;
  problem.gemm_distance = context.gemm_distance;
  problem.overlaps = context.overlaps;
  if (layer.residual) {
    const int64_t shift = layer.residual->shift_residual;
    problem.may_multiply_residual =
        context.split && !add->scaled && shift >= 0 && shift <= kMaxDiagonalShift;
    problem.residual_shift_cycles =
        shift != 0 ? static_cast<double>(alu_uop_cycles(context.core, false)) : 0;
  }
  problem.may_take_tap =
      context.split && add == nullptr && !problem.has_copy && alu_tap(layer.shape).has_value();
  const std::vector<AluPass> passes = passes_of(layer, context.style, false);
  problem.alu_cycles_per_vector = static_cast<double>(cycles_of(passes, context.core));
  problem.alu_passes = static_cast<double>(passes.size());
  problem.max_last_parts = context.split && layer.requantization.scaled ? kMaxLastParts : 1;
  return problem;
}

void lower_convolution(const ConvLayer& layer, const ConvSchedule& schedule,
                       LayerContext& context) {
  ConvEmitter(layer, schedule, context).emit();
}

}  // namespace vta::lower
