// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_QUANTIZE_RESULT_RANGE_H_
#define VTA_COMPILER_QUANTIZE_RESULT_RANGE_H_

#include <limits>
#include <map>

#include "compiler/graph/graph.h"

namespace vta::quantize {

// A range of real numbers; may be infinite.
struct Range {
  float lo, hi;

  bool is_within(const Range& other) const { return lo >= other.lo && hi <= other.hi; }
  Range with(const Range& other) const {
    return {lo < other.lo ? lo : other.lo, hi > other.hi ? hi : other.hi};
  }
};

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr Range kAllNumbers = {-kInfinity, kInfinity};

// The ranges of real results whatever the inputs: what activations, and operators after them, tell.
// The graph may gain nodes; known results must not change.
class ResultRanges {
 public:
  explicit ResultRanges(const graph::Graph& graph) : graph_(graph) {}

  Range of(graph::NodeId id);

 private:
  Range find(const graph::Node& node);
  Range of_all(const graph::Node& node);  // of its operands

  const graph::Graph& graph_;
  std::map<graph::NodeId, Range> known_;
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_RESULT_RANGE_H_
