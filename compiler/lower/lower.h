// SPDX-License-Identifier: Apache-2.0
//
// From an int8 graph whose operators are assigned to core and host to a program: values, steps,
// memory, instruction streams.
#ifndef VTA_COMPILER_LOWER_LOWER_H_
#define VTA_COMPILER_LOWER_LOWER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "configs/core_config.h"
#include "runtime/program/program.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

enum class Mode {
  kFused,  // residual adds in their convolution's stream; split and REQ where the core has them
  kCompatible,  // plain instructions, every step of the arithmetic a pass, adds are streams of
                // their own
};
const char* to_string(Mode mode);
Mode mode_from_string(const std::string& text);  // Errors: kInvalidArgument

// What became of one layer, for reports.
struct LayerPlan {
  std::string layer;
  OpKind op = OpKind::kInput;
  bool on_core = false;
  std::string tiles;  // of a convolution: "th x tw x tco x tci"; of an add: elements; of a view:
                      // "in place" or "copy" and elements; "" on the host
  uint64_t macs = 0;  // macs_of() its step
  program::StreamCounts counts;  // zeros on the host
};

struct LoweredGraph {
  Program program;  // network, quantize, weights and the inputs' and outputs' files are left to the
                    // caller
  std::vector<LayerPlan> layers;
};

// The graph is int8 where on_core is set (see passes.h). Device values live as long as a step needs
// them and share memory. Every stream is legal (program::check_stream). Errors: kUnsupported,
// kOutOfMemory, naming the layer.
LoweredGraph lower(const graph::Graph& graph, const CoreConfig& core, Mode mode);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_LOWER_H_
