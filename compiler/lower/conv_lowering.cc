// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_lowering.h"

#include <algorithm>
#include <utility>

#include "compiler/lower/acc_halves.h"
#include "compiler/lower/conv_constants.h"
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
        acc_(core_, pitch_ * tiling.tco, layer.residual ? pitch_ * tiling.tco : 0, tiling.tco),
        uops_(context.image, kAluUops, core_.uop_depth()),
        inp_(tiling.inp_slots),
        wgt_(tiling.wgt_slots),
        steps_(step_ranges(shape_, tiling)),
        passes_(convolution_passes(context.style, layer.requantization)) {
    weight_offsets_ = append_weights(layer.weights, shape_, tiling_, context_);
    bias_offset_ = append_bias(layer.bias, bias_rounding(context.style, layer.requantization),
                               shape_, context_);
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
        for (tile.y = 0; tile.y < shape_.oh; tile.y += tiling_.th) {
          tile.th = std::min(tiling_.th, shape_.oh - tile.y);
          for (tile.x = 0; tile.x < shape_.ow; tile.x += tiling_.tw, ++tile.pixels_index) {
            tile.tw = std::min(tiling_.tw, shape_.ow - tile.x);
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
    for (size_t step = 0; step < steps_.size(); ++step) emit_step(tile, step);
    const int half = tile.half();
    last_alu_[half] =
        AccHalves::add_passes(stream_, passes_, half, {tile.tco, tile.th * tile.tw, pitch_},
                              {alu_uops_loaded_, last_gemm_, last_store_[half]});
    store(tile);
  }

  // --- load stage

  void emit_step(const OutputTile& tile, size_t step) {
    const auto num_steps = static_cast<int64_t>(steps_.size());
    const int64_t inp_chunk = tile.pixels_index * num_steps + static_cast<int64_t>(step);
    const int64_t wgt_chunk = tile.blocks_index * num_steps + static_cast<int64_t>(step);
    const size_t inp = inp_.find_or_take(inp_chunk), wgt = wgt_.find_or_take(wgt_chunk);
    if (inp_[inp].chunk != inp_chunk) {
      load_input(tile, steps_[step], inp);
      inp_[inp].chunk = inp_chunk;
    }
    if (wgt_[wgt].chunk != wgt_chunk) {
      load_weights(tile, step, wgt);
      wgt_[wgt].chunk = wgt_chunk;
    }
    multiply(tile, step, inp, wgt);
    inp_[inp].last_use = wgt_[wgt].last_use = last_gemm_;
  }

  void load_weights(const OutputTile& tile, size_t step, size_t slot) {
    const int64_t elems = tile.tco * steps_[step].num_ic * tiling_.tkh * tiling_.tkw;
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kWgt;
    load.sram_base = u32(static_cast<int64_t>(slot) * wgt_slot_elems(tiling_));
    load.y_size = 1;
    load.x_size = load.x_stride = u32(elems);
    const uint64_t offset = weight_offsets_[tile.blocks_index * steps_.size() + step];
    wgt_[slot].loaded = stream_.add(load, {Area::kImage, offset}, {wgt_[slot].last_use});
  }

  int64_t inp_pitch() const {  // elements of one input block in a slot
    return rows_reached(shape_, tiling_.th, tiling_.tkh) *
           columns_reached(shape_, tiling_.tw, tiling_.tkw);
  }
  uint32_t inp_slot_base(size_t slot) const {
    return u32(static_cast<int64_t>(slot) * inp_slot_elems(shape_, tiling_));
  }

  void load_input(const OutputTile& tile, const StepRange& step, size_t slot) {
    InputChunk chunk;
    chunk.n = tile.n;
    chunk.block = step.ic;
    chunk.num_blocks = step.num_ic;
    chunk.row_step = row_step(shape_, tiling_.tkh);
    chunk.rows = clip_range(tile.y * shape_.sh - shape_.pad_top + step.ky * shape_.dh,
                            chunk.row_step, rows_reached(shape_, tile.th, tiling_.tkh), shape_.ih);
    chunk.columns = clip_range(tile.x * shape_.sw - shape_.pad_left + step.kx * shape_.dw, 1,
                               columns_reached(shape_, tile.tw, tiling_.tkw), shape_.iw);
    for (const InputLoad& load :
         input_loads(shape_, chunk, layer_.input, inp_slot_base(slot), inp_pitch(), context_)) {
      inp_[slot].loaded = stream_.add(load.instruction, load.address, {inp_[slot].last_use});
    }
  }

  // --- gemm stage

  // Micro-ops for `taps` (as offsets in the source and weight slots) of every output block,
  // starting at tap `first` of each.
  void multiply(const OutputTile& tile, size_t step, size_t inp, size_t wgt) {
    const std::vector<std::pair<int64_t, int64_t>> taps = tap_offsets(tile, steps_[step], inp, wgt);
    const auto per_block = static_cast<int64_t>(taps.size());
    std::vector<uint32_t> kernel;
    kernel.reserve(static_cast<size_t>(tile.tco * per_block));
    const auto append = [&](int64_t block, int64_t tap) {
      const auto& [src, weight] = taps[static_cast<size_t>(tap)];
      kernel.push_back(isa::encode(isa::Uop{acc_.tile(tile.half()) + u32(block * pitch_), u32(src),
                                            u32(weight + block * per_block)},
                                   core_));
    };
    const bool overwrite = step == 0 && context_.split;
    // The first tap of every block overwrites, so these micro-ops come first and make an
    // instruction of their own.
    const int64_t first_tap = overwrite ? 1 : 0;
    for (int64_t block = 0; overwrite && block < tile.tco; ++block) append(block, 0);
    for (int64_t block = 0; block < tile.tco; ++block) {
      for (int64_t tap = first_tap; tap < per_block; ++tap) append(block, tap);
    }
    const uint32_t begin = place_kernel(kernel);
    const uint32_t end = begin + u32(static_cast<int64_t>(kernel.size()));
    if (step == 0 && !context_.split) clear(tile);
    const InstructionIndex loads[] = {inp_[inp].loaded, wgt_[wgt].loaded};
    if (overwrite) {
      add_gemm(tile, begin, begin + u32(tile.tco), true,
               {loads[0], loads[1], last_alu_[tile.half()]});
      if (per_block == 1) return;
    }
    add_gemm(tile, overwrite ? begin + u32(tile.tco) : begin, end, false, {loads[0], loads[1]});
  }

  // (source, weight) of each tap, input block by input block.
  std::vector<std::pair<int64_t, int64_t>> tap_offsets(const OutputTile& tile,
                                                       const StepRange& step, size_t inp,
                                                       size_t wgt) const {
    const int64_t width = columns_reached(shape_, tile.tw, tiling_.tkw);
    const int64_t inp_base = inp_slot_base(inp);
    int64_t weight = static_cast<int64_t>(wgt) * wgt_slot_elems(tiling_);
    std::vector<std::pair<int64_t, int64_t>> taps;
    for (int64_t block = 0; block < step.num_ic; ++block) {
      for (int64_t ky = 0; ky < tiling_.tkh; ++ky) {
        for (int64_t kx = 0; kx < tiling_.tkw; ++kx) {
          taps.emplace_back(
              inp_base + block * inp_pitch() + ky * shape_.dh * width + kx * shape_.dw, weight++);
        }
      }
    }
    return taps;
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

  void add_gemm(const OutputTile& tile, uint32_t begin, uint32_t end, bool reset,
                std::initializer_list<InstructionIndex> after) {
    isa::Instruction gemm;
    gemm.opcode = isa::kGemm;
    gemm.reset = reset ? 1 : 0;
    gemm.uop_bgn = begin;
    gemm.uop_end = end;
    gemm.iter_out = u32(tile.th);
    gemm.iter_in = u32(tile.tw);
    if (tile.th > 1) {
      const int64_t rows =
          shape_.sh / row_step(shape_, tiling_.tkh);  // rows of the slot an output row apart
      gemm.dst_factor_out = u32(tile.tw);
      gemm.src_factor_out = u32(rows * columns_reached(shape_, tile.tw, tiling_.tkw));
    }
    if (tile.tw > 1) {
      gemm.dst_factor_in = 1;
      gemm.src_factor_in = u32(shape_.sw);
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
    load.x_size = load.x_stride = u32(tile.tco);
    const uint64_t offset = bias_offset_ + static_cast<uint64_t>(tile.oc) * core_.acc_elem_bytes();
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
    const int64_t plane = shape_.oh * shape_.ow, pixels = tile.th * tile.tw;
    const auto address = [&](int64_t block) {
      const int64_t element =
          (tile.n * shape_.oc_blocks + tile.oc + block) * plane + tile.y * shape_.ow + tile.x;
      return tensor + static_cast<uint64_t>(element) * core_.out_elem_bytes();
    };
    if (pixels == pitch_ && tile.tw == shape_.ow && plane <= kMaxExtent) {
      transfer.sram_base = base;
      transfer.y_size = u32(tile.tco);
      transfer.x_size = u32(pixels);
      transfer.x_stride = u32(plane);
      add(transfer, address(0));
      return;
    }
    if (shape_.ow > kMaxExtent && tile.th > 1) {
      fail(ErrorCode::kUnsupported, "rows of {} pixels are longer than a STORE's stride of {}",
           shape_.ow, kMaxExtent);
    }
    for (int64_t block = 0; block < tile.tco; ++block) {
      transfer.sram_base = base + u32(block * pitch_);
      transfer.y_size = u32(tile.th);
      transfer.x_size = u32(tile.tw);
      transfer.x_stride = u32(tile.th > 1 ? shape_.ow : tile.tw);
      add(transfer, address(block));
    }
  }

  const ConvLayer& layer_;
  const ConvShape& shape_;
  const Tiling& tiling_;
  LayerContext& context_;
  const CoreConfig& core_;
  StreamBuilder stream_;
  const int64_t pitch_;  // elements of one output block in a tile of full size
  const AccHalves acc_;
  program::UopCache uops_;
  SlotRing inp_, wgt_;
  const std::vector<StepRange> steps_;
  std::vector<AluPass> passes_;
  std::vector<uint64_t> weight_offsets_;
  uint64_t bias_offset_ = 0;

  InstructionIndex alu_uops_loaded_ = kNoInstruction, last_gemm_ = kNoInstruction;
  InstructionIndex last_alu_[2] = {kNoInstruction, kNoInstruction};    // by half
  InstructionIndex last_store_[2] = {kNoInstruction, kNoInstruction};  // by half
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
