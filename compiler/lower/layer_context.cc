// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/layer_context.h"

#include <algorithm>
#include <utility>

#include "compiler/lower/gemm_distance.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

AluStyle style_of(const CoreConfig& core, Mode mode) {
  if (mode == Mode::kCompatible) return AluStyle::kUnfused;
  return core.extension ? AluStyle::kReq : AluStyle::kRoundInBias;
}

}  // namespace

LayerContext::LayerContext(const CoreConfig& core, Mode mode, bool overlaps,
                           const ScheduleBook* schedules, TilingCache& tilings)
    : core(core),
      split(mode == Mode::kFused && core.extension),
      overlaps(overlaps),
      gemm_distance(mode == Mode::kCompatible ? kVtaGemmDistance : 1),
      style(style_of(core, mode)),
      schedules(schedules),
      tilings(tilings),
      stream_(new_stream()) {}

std::unique_ptr<StreamBuilder> LayerContext::new_stream() const {
  auto stream = std::make_unique<StreamBuilder>(core, split, image);
  stream->load_uops_first();
  return stream;
}

std::unique_ptr<StreamBuilder> LayerContext::end_stream() {
  state.half = 0;
  state.kernels.reset();
  stream_->end({DramAddress::Area::kImage, image.append_once(stream_->first_uops())});
  return std::exchange(stream_, new_stream());
}

std::vector<uint32_t> LayerContext::place_kernels(const std::vector<UopCache::Kernel>& kernels) {
  if (!state.kernels) state.kernels.emplace(core.uop_depth());
  const auto places = state.kernels->place(kernels);
  if (places.loaded.empty()) return places.uop_bgns;
  if (places.is_first_round) {
    stream_->add_first_uops(places.loaded);
  } else {
    stream_->add(
        load_of_run(isa::kUop, places.load_bgn, static_cast<int64_t>(places.loaded.size())),
        {DramAddress::Area::kImage, image.append_once(places.loaded)});
  }
  return places.uop_bgns;
}

uint32_t LayerContext::place_kernel(const UopCache::Kernel& kernel) {
  return place_kernels({kernel})[0];
}

DramAddress LayerContext::diagonal(int64_t shift) {
  const auto [entry, is_new] = diagonal_offsets_bytes_.try_emplace(shift, 0);
  if (is_new) {
    const auto space = image.reserve(core.wgt_elem_bytes(), arena_alignment_bytes(core));
    for (uint32_t i = 0; i < core.block_in; ++i)
      space.bytes[i * core.block_in + i] = static_cast<uint8_t>(1 << shift);
    entry->second = space.offset_bytes;
  }
  return {DramAddress::Area::kImage, entry->second};
}

DramAddress LayerContext::inp_element(int64_t value) {
  const auto [entry, is_new] = inp_offsets_bytes_.try_emplace(value, 0);
  if (is_new) {
    const std::vector<uint8_t> lanes(core.inp_elem_bytes(), static_cast<uint8_t>(value));
    entry->second = image.append(lanes, arena_alignment_bytes(core));
  }
  return {DramAddress::Area::kImage, entry->second};
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
