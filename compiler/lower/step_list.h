// SPDX-License-Identifier: Apache-2.0
//
// StepList: the values and steps of a program, before memory and streams: what runs where in which
// order, with the conversions between host and device where a value changes sides.
#ifndef VTA_COMPILER_LOWER_STEP_LIST_H_
#define VTA_COMPILER_LOWER_STEP_LIST_H_

#include <cstddef>
#include <map>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/lower/storage_plan.h"
#include "configs/core_config.h"
#include "runtime/program/program.h"

namespace vta::lower {

// What a kCore step computes: a convolution or dense layer, with an add behind it or not, an add
// alone, a max pool, or (with none of them) a copy of its source.
struct CoreStep {
  size_t step = 0;          // index in the program's steps
  graph::NodeId conv = -1;  // -1: none
  graph::NodeId add = -1;   // -1: none
  graph::NodeId pool = -1;  // -1: none
  ValueId source = -1;    // input of the convolution, the add's first operand, of the others theirs
  ValueId residual = -1;  // the add's other operand
  int residual_operand = 1;  // which operand of the add that is
};

struct StepList {
  std::vector<ProgramValue> values;
  std::vector<ProgramStep> steps;
  std::vector<CoreStep> core_steps;
  std::vector<ValueId> inputs, outputs;
  StoragePlan storage;  // of the device values
};

// fuse_adds: an add joins the stream of the convolution that only it uses.
StepList list_steps(const graph::Graph& graph, const CoreConfig& core, bool fuse_adds);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_STEP_LIST_H_
