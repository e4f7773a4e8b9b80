// SPDX-License-Identifier: Apache-2.0
//
// Lowering: from an int8 graph whose operators are assigned to core and host to a program (values,
// steps, memory, instruction streams).
#ifndef VTA_COMPILER_LOWER_LOWER_H_
#define VTA_COMPILER_LOWER_LOWER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/lower/mode.h"
#include "compiler/lower/passes.h"
#include "compiler/lower/schedule_book.h"
#include "compiler/lower/stream_builder.h"
#include "compiler/lower/tiling_report.h"
#include "compiler/lower/tiling_search.h"
#include "configs/core_config.h"
#include "runtime/program/program.h"

namespace vta::lower {

// How a layer was lowered, for reports.
struct LayerPlan {
  std::string layer;
  OpKind op = OpKind::kInput;
  bool on_core = false;
  std::string tiles;  // size of tiles: of a convolution as to_string(Tiling) prints it, of a pool
                      // "th x tw x blocks", of an add elements, of a view "in place" or "copy" and
                      // elements; "" on the host
  std::optional<TilingReport> tiling;  // of a convolution or dense layer
  std::optional<TuningTask> task;      // likewise
  uint64_t macs = 0;                   // macs_of() the step
  hw::Counters counts;                 // without cycles; zeros on the host
};

struct LoweredGraph {
  Program program;  // the caller fills in network, quantize, weights, and the files of inputs and
                    // outputs
  std::vector<LayerPlan> layers;
};

enum class Streams {
  kMerged,    // consecutive core steps are one stream, in which they overlap
  kPerLayer,  // each core step is a stream of its own
};

// The layers [first, end) of LoweredGraph::layers.
struct LayerRange {
  size_t first = 0, end = SIZE_MAX;
  bool contains(size_t layer) const { return layer >= first && layer < end; }
};

struct LoweringOptions {
  Streams streams = Streams::kMerged;
  const ScheduleBook* schedules = nullptr;  // asked before the search; null: none
  // Tilings found so far, to share between calls with the same core and mode; null: none.
  TilingCache* tilings = nullptr;
  // Only these layers get instructions, so that a tuner can measure layers in their place.
  LayerRange window = {};
  HostReasons reasons = {};      // partition()'s; host operators without one are conversions
  std::optional<int64_t> batch;  // Program::batch; nullopt: graph::independent_images()
};

// Nodes with on_core set are int8 (passes.h). Device values whose lifetimes do not overlap share
// memory. Every stream passes check_stream(). Errors: kUnsupported, kOutOfMemory, naming
// the layer; kInvalidArgument for an entry of the schedule book that does not fit its layer.
LoweredGraph lower(const graph::Graph& graph, const CoreConfig& core, Mode mode,
                   const LoweringOptions& options = {});

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_LOWER_H_
