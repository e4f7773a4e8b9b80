// SPDX-License-Identifier: Apache-2.0
//
// What the lowering of every layer shares.
#ifndef VTA_COMPILER_LOWER_LAYER_CONTEXT_H_
#define VTA_COMPILER_LOWER_LAYER_CONTEXT_H_

#include <cstdint>
#include <optional>

#include "compiler/lower/epilogue.h"
#include "compiler/lower/tiling.h"
#include "configs/core_config.h"
#include "runtime/program/arena_image.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

class LayerContext {
 public:
  LayerContext(const CoreConfig& core, bool split, AluStyle style)
      : core(core), split(split), style(style) {}

  const CoreConfig core;
  const bool split;  // streams use split instructions
  const AluStyle style;
  program::ArenaImage image;
  TilingCache tilings;

  // One INP element of zeros in the image, for padding that LOAD's fields cannot express.
  program::DramAddress zero_element();

 private:
  std::optional<uint64_t> zero_offset_bytes_;
};

// Alignment of packed tensors and constants: of a burst, and of every element.
uint64_t arena_alignment_bytes(const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_LAYER_CONTEXT_H_
