// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/input_loads.h"

#include <algorithm>

namespace vta::lower {
namespace {

class Loader {
 public:
  Loader(const ConvShape& shape, const InputChunk& chunk, DramAddress input, LayerContext& context)
      : shape_(shape), chunk_(chunk), input_(input), context_(context) {}

  std::vector<Transfer> run(uint32_t sram_base, int64_t block_pitch) {
    if (is_runs(block_pitch)) {
      load_runs(sram_base);
      return std::move(loads_);
    }
    for (int64_t i = 0; i < chunk_.num_blocks; ++i) {
      const uint32_t base = sram_base + u32(i * block_pitch);
      if (fits_one_load()) {
        load_rectangle(base, chunk_.block + i);
      } else {
        load_row_by_row(base, chunk_.block + i);
      }
    }
    return std::move(loads_);
  }

 private:
  int64_t plane() const { return shape_.rows.in * shape_.columns.in; }

  // Whole rows without padding, contiguous in DRAM, and contiguous blocks in the slot.
  bool is_runs(int64_t block_pitch) const {
    const bool padded =
        chunk_.rows.size != chunk_.height() || chunk_.columns.size != chunk_.width();
    const bool whole_rows =
        chunk_.width() == shape_.columns.in && (chunk_.row_stride == 1 || chunk_.height() == 1);
    return !padded && whole_rows && plane() <= kMaxExtent &&
           chunk_.height() * chunk_.width() == block_pitch;
  }

  bool fits_one_load() const {
    const ClippedRange &y = chunk_.rows, &x = chunk_.columns;
    return y.size > 0 && x.size > 0 && chunk_.row_stride * shape_.columns.in <= kMaxExtent &&
           std::max({y.before, y.after, x.before, x.after}) <= kMaxPad;
  }

  void load_runs(uint32_t base) {
    isa::Instruction load = load_to(base);
    const int64_t run = chunk_.height() * chunk_.width();
    load.y_size = u32(chunk_.num_blocks);
    load.x_size = u32(run);
    load.x_stride = u32(plane());
    if (run == plane() && run * chunk_.num_blocks <= kMaxExtent) {  // whole images: one run
      load.y_size = 1;
      load.x_size = load.x_stride = u32(run * chunk_.num_blocks);
    }
    loads_.push_back({load, pixel(chunk_.block, chunk_.rows.begin, 0)});
  }

  void load_rectangle(uint32_t base, int64_t block) {
    isa::Instruction load = load_to(base);
    load.y_size = u32(chunk_.rows.size);
    load.x_size = u32(chunk_.columns.size);
    load.x_stride = u32(chunk_.row_stride * shape_.columns.in);
    load.y_pad_0 = u32(chunk_.rows.before);
    load.y_pad_1 = u32(chunk_.rows.after);
    load.x_pad_0 = u32(chunk_.columns.before);
    load.x_pad_1 = u32(chunk_.columns.after);
    loads_.push_back({load, pixel(block, chunk_.rows.begin, chunk_.columns.begin)});
  }

  // For padding that exceeds LOAD's fields or fills the chunk: zeros everywhere, then the rows.
  void load_row_by_row(uint32_t base, int64_t block) {
    isa::Instruction zeros = load_to(base);
    zeros.y_size = u32(chunk_.height() * chunk_.width());
    zeros.x_size = 1;
    zeros.x_stride = 0;
    loads_.push_back({zeros, context_.inp_element(0)});
    if (chunk_.columns.size == 0) return;
    for (int64_t row = 0; row < chunk_.rows.size; ++row) {
      const int64_t y = chunk_.rows.before + row;
      const uint32_t begin = base + u32(y * chunk_.width() + chunk_.columns.before);
      const int64_t image_row = chunk_.rows.begin + row * chunk_.row_stride;
      loads_.push_back({load_of_run(isa::kInp, begin, chunk_.columns.size),
                        pixel(block, image_row, chunk_.columns.begin)});
    }
  }

  static isa::Instruction load_to(uint32_t sram_base) {
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kInp;
    load.sram_base = sram_base;
    return load;
  }

  DramAddress pixel(int64_t block, int64_t y, int64_t x) const {
    const int64_t element =
        (chunk_.n * shape_.ic_blocks + block) * plane() + y * shape_.columns.in + x;
    return input_ + static_cast<uint64_t>(element) * context_.core.inp_elem_bytes();
  }

  const ConvShape& shape_;
  const InputChunk& chunk_;
  const DramAddress input_;
  LayerContext& context_;
  std::vector<Transfer> loads_;
};

}  // namespace

std::vector<Transfer> input_loads(const ConvShape& shape, const InputChunk& chunk,
                                  DramAddress input, uint32_t sram_base, int64_t block_pitch,
                                  LayerContext& context) {
  return Loader(shape, chunk, input, context).run(sram_base, block_pitch);
}

}  // namespace vta::lower
