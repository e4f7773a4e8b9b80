// SPDX-License-Identifier: Apache-2.0
//
// LayerContext: state shared by the lowering of all layers, and the stream that they append to.
#ifndef VTA_COMPILER_LOWER_LAYER_CONTEXT_H_
#define VTA_COMPILER_LOWER_LAYER_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compiler/lower/epilogue.h"
#include "compiler/lower/mode.h"
#include "compiler/lower/tiling_search.h"
#include "configs/core_config.h"
#include "runtime/program/arena_image.h"
#include "runtime/program/stream_builder.h"
#include "runtime/program/uop_cache.h"

namespace vta::lower {

// What a layer leaves in the core for the next layer of the same stream, so that the two overlap:
// the next layer uses the other half of ACC and other micro-ops of the ALU.
struct CoreState {
  int half = 0;           // of ACC, for the next tile
  uint32_t alu_uops = 0;  // the place in UOP for the next layer's ALU micro-ops
  // Kernels that are resident in UOP, after the ALU's micro-ops; none before the first kernel.
  std::optional<program::UopCache> kernels;
};

// Elements of UOP for the ALU's micro-ops of a layer: for each half of ACC one micro-op for each of
// the operands tile and bias, tile and residual, residual, tile and shift (epilogue.h). Two such
// places are used by layers in turn.
inline constexpr uint32_t kAluUops = 8;
inline constexpr uint32_t kReservedUops = 2 * kAluUops;

class LayerContext {
 public:
  // overlaps: consecutive layers share a stream.
  LayerContext(const CoreConfig& core, Mode mode, bool overlaps);

  // The stream of the current layer.
  program::StreamBuilder& stream() { return *stream_; }
  // Ends the stream; the next layer starts another one.
  std::unique_ptr<program::StreamBuilder> end_stream();
  // The place in UOP for the next layer's ALU micro-ops.
  uint32_t take_alu_uops();
  // Makes micro-ops resident, with a LOAD if they are not. Returns the index of the first one in
  // UOP.
  uint32_t place_kernel(const std::vector<uint32_t>& words);
  // Elements of UOP for kernels.
  int64_t kernel_capacity() const { return core.uop_depth() - kReservedUops; }

  const CoreConfig core;
  const bool split;     // streams use split instructions
  const bool overlaps;  // streams have several layers
  const AluStyle style;
  program::ArenaImage image;
  TilingCache tilings;
  CoreState state;
  std::optional<TilingReport> tiling;  // of the current layer; nullopt: its tiles are not searched

  // An INP element of zeros in the arena image, for padding that exceeds LOAD's fields.
  program::DramAddress zero_element();

 private:
  std::unique_ptr<program::StreamBuilder> stream_;
  std::optional<uint64_t> zero_offset_bytes_;
};

// Appends an ACC element with `value` in all lanes to the arena image; returns its offset.
uint64_t append_element(LayerContext& context, int32_t value);

// Alignment of packed tensors and constants: that of bursts and of all elements.
uint64_t arena_alignment_bytes(const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_LAYER_CONTEXT_H_
