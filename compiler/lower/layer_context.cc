// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/layer_context.h"

#include <algorithm>

namespace vta::lower {
namespace {

AluStyle style_of(const CoreConfig& core, Mode mode) {
  if (mode == Mode::kCompatible) return AluStyle::kUnfused;
  return core.extension ? AluStyle::kReq : AluStyle::kRoundInBias;
}

}  // namespace

LayerContext::LayerContext(const CoreConfig& core, Mode mode)
    : core(core), split(mode == Mode::kFused && core.extension), style(style_of(core, mode)) {}

program::DramAddress LayerContext::zero_element() {
  if (!zero_offset_bytes_) {
    zero_offset_bytes_ =
        image.reserve(core.inp_elem_bytes(), arena_alignment_bytes(core)).offset_bytes;
  }
  return {program::DramAddress::Area::kImage, *zero_offset_bytes_};
}

uint64_t arena_alignment_bytes(const CoreConfig& core) {
  return std::max<uint64_t>(
      {64, core.inp_elem_bytes(), core.wgt_elem_bytes(), core.acc_elem_bytes()});
}

}  // namespace vta::lower
