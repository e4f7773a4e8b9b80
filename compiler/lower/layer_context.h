// SPDX-License-Identifier: Apache-2.0
//
// LayerContext: state shared by the lowering of all layers.
#ifndef VTA_COMPILER_LOWER_LAYER_CONTEXT_H_
#define VTA_COMPILER_LOWER_LAYER_CONTEXT_H_

#include <cstdint>
#include <optional>

#include "compiler/lower/epilogue.h"
#include "compiler/lower/mode.h"
#include "compiler/lower/tiling_search.h"
#include "configs/core_config.h"
#include "runtime/program/arena_image.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

class LayerContext {
 public:
  LayerContext(const CoreConfig& core, Mode mode);

  const CoreConfig core;
  const bool split;  // streams use split instructions
  const AluStyle style;
  program::ArenaImage image;
  TilingCache tilings;

  // An INP element of zeros in the arena image, for padding that exceeds LOAD's fields.
  program::DramAddress zero_element();

 private:
  std::optional<uint64_t> zero_offset_bytes_;
};

// Alignment of packed tensors and constants: that of bursts and of all elements.
uint64_t arena_alignment_bytes(const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_LAYER_CONTEXT_H_
