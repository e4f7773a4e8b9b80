// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_lowering.h"

#include <algorithm>
#include <utility>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_constants.h"
#include "compiler/lower/conv_steps.h"
#include "compiler/lower/input_loads.h"
#include "hw/isa/instruction.h"
#include "runtime/program/uop_cache.h"

namespace vta::lower {
namespace {

using program::DramAddress;
using program::InstructionIndex;
using program::kNoInstruction;
using program::StreamBuilder;
using Area = DramAddress::Area;

// What the 16-bit sizes and strides of LOAD and STORE reach.
constexpr int64_t kMaxExtent = 65535;

uint32_t u32(int64_t value) { return static_cast<uint32_t>(value); }

// The slots of a scratchpad, taken in turn.
class SlotRing {
 public:
  struct Slot {
    int64_t chunk = -1;
    InstructionIndex loaded = kNoInstruction;    // last LOAD of the chunk
    InstructionIndex last_use = kNoInstruction;  // last GEMM that read it, of the chunk before too
  };

  explicit SlotRing(int64_t slots) : slots_(slots) {}

  // The slot that holds `chunk`, else the next one in turn, which does not hold it yet.
  size_t find_or_take(int64_t chunk) {
    for (size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].chunk == chunk) return i;
    }
    return std::exchange(next_, (next_ + 1) % slots_.size());
  }
  Slot& operator[](size_t index) { return slots_[index]; }

 private:
  std::vector<Slot> slots_;
  size_t next_ = 0;
};

// An output tile: images group n, rows from y, columns from x, blocks from oc.
struct OutputTile {
  int64_t index;
  int64_t n, y, th, x, tw, oc, tco;
  int64_t pixels_index, blocks_index;  // which tile it is among those of equal oc, of equal pixels

  int half() const { return static_cast<int>(index % 2); }
  AxisTile rows() const { return {y, th}; }
  AxisTile columns() const { return {x, tw}; }
};

class ConvEmitter {
 public:
  ConvEmitter(const ConvLayer& layer, const Tiling& tiling, LayerContext& context)
      : layer_(layer),
        shape_(layer.shape),
        tiling_(tiling),
        context_(context),
        core_(context.core),
        stream_(core_, context.split),
        pitch_(tiling.th * tiling.tw),
        channel_elems_(layer.requantization.per_channel ? 2 : 1),
        acc_(core_, pitch_ * tiling.tco, layer.residual ? pitch_ * tiling.tco : 0, tiling.tco,
             channel_elems_),
        uops_(context.image, kAluUops, core_.uop_depth()),
        row_taps_(axis_taps(shape_.rows)),
        column_taps_(axis_taps(shape_.columns)),
        inp_block_elems_(inp_block_elems(shape_, tiling)),
        inp_slot_elems_(inp_slot_elems(shape_, tiling)),
        wgt_slot_elems_(wgt_slot_elems(shape_, tiling)),
        inp_(tiling.inp_slots),
        wgt_(tiling.wgt_slots),
        passes_(convolution_passes(context.style, layer.requantization)) {
    list_steps();
    weight_offsets_ = append_weights(layer.weights, shape_, steps_, context_);
    bias_offset_ = append_bias(layer.bias, bias_rounding(context.style, layer.requantization),
                               layer.shifts, shape_, context_);
    if (layer.residual) {
      const ResidualAdd& add = *layer.residual;
      const auto more =
          addition_passes(context.style, add.requantization, add.shift_tile, add.shift_residual);
      passes_.insert(passes_.end(), more.begin(), more.end());
    }
  }

  StreamBuilder emit() {
    alu_uops_loaded_ = acc_.load_alu_uops(context_, stream_);
    for_each_tile([&](const OutputTile& tile) { emit_tile(tile); });
    return std::move(stream_);
  }

 private:
  // Steps of every tile of blocks. Ungrouped, all tiles of blocks use the same chunks of input.
  void list_steps() {
    for (int64_t oc = 0; oc < shape_.oc_blocks; oc += tiling_.tco) {
      const int64_t num_oc = std::min(tiling_.tco, shape_.oc_blocks - oc);
      first_chunk_.push_back(num_chunks_);
      steps_.push_back(steps_of(shape_, tiling_, oc, num_oc));
      num_chunks_ += static_cast<int64_t>(steps_.back().size());
    }
  }
  int64_t input_chunk(const OutputTile& tile, size_t step) const {
    const bool shared = shape_.groups == 1;
    const int64_t chunks = shared ? static_cast<int64_t>(steps_[0].size()) : num_chunks_;
    return tile.pixels_index * chunks + (shared ? 0 : first_chunk_[tile.blocks_index]) +
           static_cast<int64_t>(step);
  }

  template <typename Visit>
  void for_each_tile(Visit&& visit) {
    OutputTile tile{};
    const auto over_blocks = [&](auto&& inner) {
      tile.blocks_index = 0;
      for (tile.oc = 0; tile.oc < shape_.oc_blocks; tile.oc += tiling_.tco, ++tile.blocks_index) {
        tile.tco = std::min(tiling_.tco, shape_.oc_blocks - tile.oc);
        inner();
      }
    };
    const auto over_pixels = [&](auto&& inner) {
      tile.pixels_index = 0;
      for (tile.n = 0; tile.n < shape_.image_groups; ++tile.n) {
        for (tile.y = 0; tile.y < shape_.rows.out; tile.y += tiling_.th) {
          tile.th = std::min(tiling_.th, shape_.rows.out - tile.y);
          for (tile.x = 0; tile.x < shape_.columns.out; tile.x += tiling_.tw, ++tile.pixels_index) {
            tile.tw = std::min(tiling_.tw, shape_.columns.out - tile.x);
            inner();
          }
        }
      }
    };
    const auto one = [&] {
      visit(tile);
      ++tile.index;
    };
    if (tiling_.channels_outer) {
      over_blocks([&] { over_pixels(one); });
    } else {
      over_pixels([&] { over_blocks(one); });
    }
  }

  void emit_tile(const OutputTile& tile) {
    load_bias(tile);
    load_residual(tile);
    for (size_t step = 0; step < steps_[tile.blocks_index].size(); ++step) emit_step(tile, step);
    const int half = tile.half();
    last_alu_[half] = acc_.add_passes(stream_, passes_, half, {tile.tco, tile.th * tile.tw, pitch_},
                                      {alu_uops_loaded_, last_gemm_, last_store_[half]});
    store(tile);
  }

  // --- load stage

  void emit_step(const OutputTile& tile, size_t index) {
    const ConvStep& step = steps_[tile.blocks_index][index];
    const AxisWindow rows = window_of(shape_.rows, row_taps_, step.row, step.num_rows, tile.rows(),
                                      /*skips=*/true);
    const AxisWindow columns = window_of(shape_.columns, column_taps_, step.column,
                                         step.num_columns, tile.columns(), /*skips=*/false);
    if (rows.count == 0 || columns.count == 0) return;  // phases without an output in the tile
    const int64_t inp_chunk = input_chunk(tile, index);
    const int64_t wgt_chunk = first_chunk_[tile.blocks_index] + static_cast<int64_t>(index);
    const size_t inp = inp_.find_or_take(inp_chunk), wgt = wgt_.find_or_take(wgt_chunk);
    if (inp_[inp].chunk != inp_chunk) {
      load_input(tile, step, rows, columns, inp);
      inp_[inp].chunk = inp_chunk;
    }
    if (wgt_[wgt].chunk != wgt_chunk) {
      load_weights(step, wgt_chunk, wgt);
      wgt_[wgt].chunk = wgt_chunk;
    }
    multiply(tile, step, rows, columns, inp, wgt);
    inp_[inp].last_use = wgt_[wgt].last_use = last_gemm_;
  }

  void load_weights(const ConvStep& step, int64_t chunk, size_t slot) {
    const auto elems = static_cast<int64_t>(step.pairs.size()) * step.num_rows * step.num_columns;
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kWgt;
    load.sram_base = u32(static_cast<int64_t>(slot) * wgt_slot_elems_);
    load.y_size = 1;
    load.x_size = load.x_stride = u32(elems);
    const uint64_t offset = weight_offsets_[static_cast<size_t>(chunk)];
    wgt_[slot].loaded = stream_.add(load, {Area::kImage, offset}, {wgt_[slot].last_use});
  }

  uint32_t inp_slot_base(size_t slot) const {
    return u32(static_cast<int64_t>(slot) * inp_slot_elems_);
  }

  void load_input(const OutputTile& tile, const ConvStep& step, const AxisWindow& rows,
                  const AxisWindow& columns, size_t slot) {
    InputChunk chunk;
    chunk.n = tile.n;
    chunk.block = step.ic;
    chunk.num_blocks = step.num_ic;
    chunk.row_step = rows.step;
    chunk.rows = clip_range(rows.first, rows.step, rows.count, shape_.rows.in);
    chunk.columns = clip_range(columns.first, 1, columns.count, shape_.columns.in);
    for (const InputLoad& load : input_loads(shape_, chunk, layer_.input, inp_slot_base(slot),
                                             inp_block_elems_, context_)) {
      inp_[slot].loaded = stream_.add(load.instruction, load.address, {inp_[slot].last_use});
    }
  }

  // --- gemm stage

  // The micro-ops of one phase in one step. Those that overwrite, each output block's first tap,
  // come first and make an instruction of their own.
  struct PhaseKernel {
    int64_t row_phase = 0, column_phase = 0;
    std::vector<uint32_t> overwriting, adding;
  };

  void multiply(const OutputTile& tile, const ConvStep& step, const AxisWindow& rows,
                const AxisWindow& columns, size_t inp, size_t wgt) {
    const int64_t inp_base = inp_slot_base(inp);
    const int64_t wgt_base = static_cast<int64_t>(wgt) * wgt_slot_elems_;
    const std::vector<PhaseKernel> kernels =
        phase_kernels(tile, step, rows, columns, inp_base, wgt_base);
    std::vector<uint32_t> all;
    for (const PhaseKernel& kernel : kernels) {
      all.insert(all.end(), kernel.overwriting.begin(), kernel.overwriting.end());
      all.insert(all.end(), kernel.adding.begin(), kernel.adding.end());
    }
    uint32_t uop = place_kernel(all);
    if (!context_.split && std::exchange(cleared_tile_, tile.index) != tile.index) clear(tile);
    const int64_t row_pitch = shape_.rows.in_step() / rows.step * columns.count;
    const InstructionIndex loads[] = {inp_[inp].loaded, wgt_[wgt].loaded};
    for (const PhaseKernel& kernel : kernels) {
      const uint32_t middle = uop + u32(static_cast<int64_t>(kernel.overwriting.size()));
      const uint32_t end = middle + u32(static_cast<int64_t>(kernel.adding.size()));
      if (middle > uop) {
        add_gemm(tile, kernel, row_pitch, uop, middle, true,
                 {loads[0], loads[1], last_alu_[tile.half()]});
      }
      if (end > middle) add_gemm(tile, kernel, row_pitch, middle, end, false, {loads[0], loads[1]});
      uop = end;
    }
  }

  std::vector<PhaseKernel> phase_kernels(const OutputTile& tile, const ConvStep& step,
                                         const AxisWindow& rows, const AxisWindow& columns,
                                         int64_t inp_base, int64_t wgt_base) const {
    std::vector<PhaseKernel> kernels;
    int64_t weight = wgt_base;
    for (const BlockPair& pair : step.pairs) {
      const bool first_block = pair.ic == shape_.input_blocks(pair.oc).begin;
      const int64_t block_base = inp_base + (pair.ic - step.ic) * inp_block_elems_;
      for (int64_t y = step.row; y < step.row + step.num_rows; ++y) {
        for (int64_t x = step.column; x < step.column + step.num_columns; ++x, ++weight) {
          const AxisTap &row = row_taps_[y], &column = column_taps_[x];
          if (tile.rows().count(shape_.rows, row.phase) == 0) continue;
          if (tile.columns().count(shape_.columns, column.phase) == 0) continue;
          const int64_t src_row =
              (first_input(shape_.rows, row, tile.rows()) - rows.first) / rows.step;
          const int64_t src_column =
              first_input(shape_.columns, column, tile.columns()) - columns.first;
          const int64_t src = block_base + src_row * columns.count + src_column;
          const int64_t dst = acc_.tile(tile.half()) + (pair.oc - tile.oc) * pitch_ +
                              tile.rows().first(shape_.rows, row.phase) * tile.tw +
                              tile.columns().first(shape_.columns, column.phase);
          PhaseKernel& kernel = kernel_of(kernels, row.phase, column.phase);
          const bool overwrites = context_.split && first_block && starts_phase(row_taps_, y) &&
                                  starts_phase(column_taps_, x);
          (overwrites ? kernel.overwriting : kernel.adding)
              .push_back(isa::encode(isa::Uop{u32(dst), u32(src), u32(weight)}, core_));
        }
      }
    }
    return kernels;
  }

  static PhaseKernel& kernel_of(std::vector<PhaseKernel>& kernels, int64_t row, int64_t column) {
    for (PhaseKernel& kernel : kernels) {
      if (kernel.row_phase == row && kernel.column_phase == column) return kernel;
    }
    return kernels.emplace_back(PhaseKernel{row, column, {}, {}});
  }
  static bool starts_phase(const std::vector<AxisTap>& taps, int64_t index) {
    return index == 0 || taps[index - 1].phase != taps[index].phase;
  }

  uint32_t place_kernel(const std::vector<uint32_t>& kernel) {
    const auto place = uops_.place(kernel);
    if (place.must_load) {
      isa::Instruction load;
      load.opcode = isa::kLoad;
      load.memory = isa::kUop;
      load.sram_base = place.uop_bgn;
      load.y_size = 1;
      load.x_size = load.x_stride = u32(static_cast<int64_t>(kernel.size()));
      stream_.add(load, {Area::kImage, place.dram_offset_bytes});
    }
    return place.uop_bgn;
  }

  // Without overwriting GEMMs: zeros, by the ALU's micro-op of the tile. OUT is cleared with ACC,
  // hence the wait for the store.
  void clear(const OutputTile& tile) {
    isa::Instruction gemm;
    gemm.opcode = isa::kGemm;
    gemm.reset = 1;
    gemm.uop_bgn = AccHalves::alu_uop(Operands::kTileBias, tile.half());
    gemm.uop_end = gemm.uop_bgn + 1;
    gemm.iter_out = u32(tile.tco);
    gemm.iter_in = u32(tile.th * tile.tw);
    gemm.dst_factor_out = tile.tco > 1 ? u32(pitch_) : 0;
    gemm.dst_factor_in = tile.th * tile.tw > 1 ? 1 : 0;
    stream_.add(gemm, {last_store_[tile.half()]});
  }

  // The phase's outputs in the tile. `row_pitch`: elements of the slot from one of them to the next
  // below it.
  void add_gemm(const OutputTile& tile, const PhaseKernel& kernel, int64_t row_pitch,
                uint32_t begin, uint32_t end, bool reset,
                std::initializer_list<InstructionIndex> after) {
    const int64_t height = tile.rows().count(shape_.rows, kernel.row_phase);
    const int64_t width = tile.columns().count(shape_.columns, kernel.column_phase);
    isa::Instruction gemm;
    gemm.opcode = isa::kGemm;
    gemm.reset = reset ? 1 : 0;
    gemm.uop_bgn = begin;
    gemm.uop_end = end;
    gemm.iter_out = u32(height);
    gemm.iter_in = u32(width);
    if (height > 1) {
      gemm.dst_factor_out = u32(shape_.rows.num_phases() * tile.tw);
      gemm.src_factor_out = u32(row_pitch);
    }
    if (width > 1) {
      gemm.dst_factor_in = u32(shape_.columns.num_phases());
      gemm.src_factor_in = u32(shape_.columns.in_step());
    }
    last_gemm_ = stream_.add(gemm, after);
  }

  // --- alu stage: operands in ACC

  void load_bias(const OutputTile& tile) {
    const int half = tile.half();
    if (std::exchange(bias_in_[half], tile.blocks_index) == tile.blocks_index) return;
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kAcc;
    load.sram_base = acc_.bias(half);
    load.y_size = 1;
    load.x_size = load.x_stride = u32(tile.tco * channel_elems_);
    const uint64_t offset =
        bias_offset_ + static_cast<uint64_t>(tile.oc * channel_elems_) * core_.acc_elem_bytes();
    stream_.add(load, {Area::kImage, offset});
  }

  void load_residual(const OutputTile& tile) {
    if (!layer_.residual) return;
    for_each_output_run(
        tile, isa::kLoad, isa::kAcc8Bit, acc_.residual(tile.half()), layer_.residual->operand,
        [&](const isa::Instruction& load, DramAddress address) { stream_.add(load, address); });
  }

  // --- store stage

  void store(const OutputTile& tile) {
    const int half = tile.half();
    for_each_output_run(tile, isa::kStore, isa::kOut, acc_.tile(half), layer_.output,
                        [&](const isa::Instruction& store, DramAddress address) {
                          last_store_[half] = stream_.add(store, address, {last_alu_[half]});
                        });
  }

  // The transfers of a tile between the scratchpad at `base` and a packed tensor of the output's
  // shape: one for each block, or one for all where a block's pixels are one run on both sides.
  template <typename Add>
  void for_each_output_run(const OutputTile& tile, uint32_t opcode, uint32_t memory, uint32_t base,
                           DramAddress tensor, Add&& add) {
    isa::Instruction transfer;
    transfer.opcode = opcode;
    transfer.memory = memory;
    const int64_t row = shape_.columns.out, plane = shape_.rows.out * row,
                  pixels = tile.th * tile.tw;
    const auto address = [&](int64_t block) {
      const int64_t element =
          (tile.n * shape_.oc_blocks + tile.oc + block) * plane + tile.y * row + tile.x;
      return tensor + static_cast<uint64_t>(element) * core_.out_elem_bytes();
    };
    if (pixels == pitch_ && tile.tw == row && plane <= kMaxExtent) {
      transfer.sram_base = base;
      transfer.y_size = u32(tile.tco);
      transfer.x_size = u32(pixels);
      transfer.x_stride = u32(plane);
      add(transfer, address(0));
      return;
    }
    if (row > kMaxExtent && tile.th > 1) {
      fail(ErrorCode::kUnsupported, "rows of {} pixels are longer than a STORE's stride of {}", row,
           kMaxExtent);
    }
    for (int64_t block = 0; block < tile.tco; ++block) {
      transfer.sram_base = base + u32(block * pitch_);
      transfer.y_size = u32(tile.th);
      transfer.x_size = u32(tile.tw);
      transfer.x_stride = u32(tile.th > 1 ? row : tile.tw);
      add(transfer, address(block));
    }
  }

  const ConvLayer& layer_;
  const ConvShape& shape_;
  const Tiling& tiling_;
  LayerContext& context_;
  const CoreConfig& core_;
  StreamBuilder stream_;
  const int64_t pitch_;          // elements of one output block in a tile of full size
  const int64_t channel_elems_;  // of ACC for each block: the bias, and the shifts if there are any
  const AccHalves acc_;
  program::UopCache uops_;
  const std::vector<AxisTap> row_taps_, column_taps_;
  const int64_t inp_block_elems_, inp_slot_elems_, wgt_slot_elems_;
  SlotRing inp_, wgt_;
  std::vector<std::vector<ConvStep>> steps_;  // by tile of blocks
  std::vector<int64_t> first_chunk_;          // of weights, by tile of blocks
  int64_t num_chunks_ = 0;
  std::vector<AluPass> passes_;
  std::vector<uint64_t> weight_offsets_;
  uint64_t bias_offset_ = 0;

  InstructionIndex alu_uops_loaded_ = kNoInstruction, last_gemm_ = kNoInstruction;
  InstructionIndex last_alu_[2] = {kNoInstruction, kNoInstruction};    // by half
  InstructionIndex last_store_[2] = {kNoInstruction, kNoInstruction};  // by half
  int64_t cleared_tile_ = -1;
  int64_t bias_in_[2] = {-1, -1};  // blocks_index of the bias that each half holds
};

// Passes that read a second operand from ACC take two cycles a vector, but for the bias, which the
// ALU remembers.
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
  problem.alu_cycles_per_vector =
      alu_cycles(convolution_passes(context.style, layer.requantization));
  if (layer.residual) {
    const ResidualAdd& add = *layer.residual;
    problem.alu_cycles_per_vector += alu_cycles(
        addition_passes(context.style, add.requantization, add.shift_tile, add.shift_residual));
  }
  return find_tiling(problem, context.core, kAluUops);
}

StreamBuilder lower_convolution(const ConvLayer& layer, const Tiling& tiling,
                                LayerContext& context) {
  return ConvEmitter(layer, tiling, context).emit();
}

}  // namespace vta::lower
