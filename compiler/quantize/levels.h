// SPDX-License-Identifier: Apache-2.0
//
// Levels: the scale and zero point of an int8 tensor in a graph, and the movement of dequantize and
// quantize across operators that only move elements.
#ifndef VTA_COMPILER_QUANTIZE_LEVELS_H_
#define VTA_COMPILER_QUANTIZE_LEVELS_H_

#include <optional>

#include "compiler/graph/graph.h"

namespace vta::quantize {

// Level q stands for unit * (q - zero); levels are within [lo, hi].
struct Levels {
  double unit = 1;
  int64_t zero = 0;
  int64_t lo = -128, hi = 127;

  bool has_same_scale(const Levels& other) const {
    return unit == other.unit && zero == other.zero;
  }
  bool is_full() const { return lo == -128 && hi == 127; }
  // The level of a real number, within [lo, hi].
  int64_t of(double real) const;
  double real(int64_t level) const { return unit * static_cast<double>(level - zero); }
};

// The n of ratio = 2^-n, -31 to 31; nullopt if there is none.
std::optional<int64_t> exact_shift_of(double ratio);

// `conversion`: a quantize or dequantize.
Levels levels_of(const graph::Node& conversion);

// An int8 tensor that a dequantize reads.
struct LevelOperand {
  graph::NodeId node = -1;
  Levels levels;
};
// nullopt if `id` is not a dequantize of int8.
std::optional<LevelOperand> level_operand(const graph::Graph& graph, graph::NodeId id);

bool is_used_once(const graph::Graph& graph, graph::NodeId id);

// The limits of an operator's result.
void clip_to(const Levels& levels, auto& attrs) {
  attrs.lo = static_cast<double>(levels.lo);
  attrs.hi = static_cast<double>(levels.hi);
}

// Whether the operator's result has elements of its first operand only, and the pad value.
bool moves_elements(const graph::Node& node);

// The attributes of a movement on levels; nullopt if its pad value is not a level.
std::optional<OpAttrs> attrs_on_levels(const graph::Node& movement, const Levels& levels);

// move(dequantize(x)) -> dequantize(move(x)), also of concats of one scale. Returns whether it
// changed the graph at `id`.
bool sink_dequantize(graph::Graph& graph, graph::NodeId id);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_LEVELS_H_
