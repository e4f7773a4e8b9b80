// SPDX-License-Identifier: Apache-2.0
//
// LayerContext: state shared by the lowering of all layers, and the stream that they append to.
#ifndef VTA_COMPILER_LOWER_LAYER_CONTEXT_H_
#define VTA_COMPILER_LOWER_LAYER_CONTEXT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lower/epilogue.h"
#include "compiler/lower/mode.h"
#include "compiler/lower/schedule_book.h"
#include "compiler/lower/stream_builder.h"
#include "compiler/lower/tiling_search.h"
#include "compiler/lower/uop_cache.h"
#include "configs/core_config.h"
#include "runtime/program/arena_image.h"

namespace vta::lower {

// What a layer leaves in the core for the next layer of the same stream, so that the two overlap:
// the next layer uses the other half of ACC.
struct CoreState {
  int half = 0;  // of ACC, for the next tile
  // Kernels that are resident in UOP; none before the first kernel.
  std::optional<UopCache> kernels;
};

class LayerContext {
 public:
  // overlaps: consecutive layers share a stream. `schedules` (null: none) and `tilings` outlive the
  // context.
  LayerContext(const CoreConfig& core, Mode mode, bool overlaps, const ScheduleBook* schedules,
               TilingCache& tilings);

  // The stream of the current layer.
  StreamBuilder& stream() { return *stream_; }
  // Ends the stream; the next layer starts another one.
  std::unique_ptr<StreamBuilder> end_stream();
  // Makes micro-op kernels resident until the next call. Those that fit UOP are loaded by the first
  // instruction of the stream; later ones replace them, by a LOAD for each call. Returns, by
  // kernel, the index of its first micro-op in UOP.
  std::vector<uint32_t> place_kernels(const std::vector<UopCache::Kernel>& kernels);
  uint32_t place_kernel(const UopCache::Kernel& kernel);

  const CoreConfig core;
  const bool split;             // streams use split instructions
  const bool overlaps;          // streams have several layers
  const int64_t gemm_distance;  // in micro-ops, between two on one accumulator (gemm_distance.h)
  const AluStyle style;
  ArenaImage image;
  const ScheduleBook* const schedules;
  TilingCache& tilings;
  CoreState state;
  // The current layer:
  std::string place;                   // its neighbours in the stream (task_text())
  std::optional<TilingReport> tiling;  // nullopt: its tiles are not searched
  std::optional<TuningTask> task;      // likewise

  // A WGT element in the arena image with 2^shift on its diagonal, and zeros elsewhere.
  DramAddress diagonal(int64_t shift);

  // An INP element in the arena image with `value` in all lanes: padding that LOAD cannot write.
  DramAddress inp_element(int64_t value);

 private:
  std::unique_ptr<StreamBuilder> new_stream() const;

  std::unique_ptr<StreamBuilder> stream_;
  std::map<int64_t, uint64_t> inp_offsets_bytes_;       // by value
  std::map<int64_t, uint64_t> diagonal_offsets_bytes_;  // by shift
};

// Appends an ACC element with `value` in all lanes to the arena image; returns its offset.
uint64_t append_element(LayerContext& context, int32_t value);

// Alignment of packed tensors and constants: that of bursts and of all elements.
uint64_t arena_alignment_bytes(const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_LAYER_CONTEXT_H_
