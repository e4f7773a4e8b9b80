// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/layer_context.h"

#include <algorithm>
#include <utility>

#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

AluStyle style_of(const CoreConfig& core, Mode mode) {
  if (mode == Mode::kCompatible) return AluStyle::kUnfused;
  return core.extension ? AluStyle::kReq : AluStyle::kRoundInBias;
}

}  // namespace

LayerContext::LayerContext(const CoreConfig& core, Mode mode, bool overlaps)
    : core(core),
      split(mode == Mode::kFused && core.extension),
      overlaps(overlaps),
      style(style_of(core, mode)),
      stream_(std::make_unique<program::StreamBuilder>(core, split, image)) {}

std::unique_ptr<program::StreamBuilder> LayerContext::end_stream() {
  state.half = 0;
  state.alu_uops = 0;
  state.kernels.reset();
  stream_->end();
  return std::exchange(stream_, std::make_unique<program::StreamBuilder>(core, split, image));
}

uint32_t LayerContext::take_alu_uops() {
  return std::exchange(state.alu_uops, kAluUops - state.alu_uops);
}

uint32_t LayerContext::place_kernel(const std::vector<uint32_t>& words) {
  if (!state.kernels) state.kernels.emplace(image, kReservedUops, core.uop_depth());
  const auto place = state.kernels->place(words);
  if (place.must_load) {
    stream_->add(load_of_run(isa::kUop, place.uop_bgn, static_cast<int64_t>(words.size())),
                 {program::DramAddress::Area::kImage, place.dram_offset_bytes});
  }
  return place.uop_bgn;
}

program::DramAddress LayerContext::zero_element() {
  if (!zero_offset_bytes_) {
    zero_offset_bytes_ =
        image.reserve(core.inp_elem_bytes(), arena_alignment_bytes(core)).offset_bytes;
  }
  return {program::DramAddress::Area::kImage, *zero_offset_bytes_};
}

uint64_t append_element(LayerContext& context, int32_t value) {
  const std::vector<int32_t> lanes(context.core.acc_elem_bytes() / sizeof(int32_t), value);
  return context.image.append(
      {reinterpret_cast<const uint8_t*>(lanes.data()), lanes.size() * sizeof(int32_t)},
      arena_alignment_bytes(context.core));
}

uint64_t arena_alignment_bytes(const CoreConfig& core) {
  return std::max<uint64_t>(
      {64, core.inp_elem_bytes(), core.wgt_elem_bytes(), core.acc_elem_bytes()});
}

}  // namespace vta::lower
