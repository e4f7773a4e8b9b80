// SPDX-License-Identifier: Apache-2.0
//
// StepList: values and steps of a program before addresses and streams are assigned, including the
// conversions of values between host and device.
#ifndef VTA_COMPILER_LOWER_STEP_LIST_H_
#define VTA_COMPILER_LOWER_STEP_LIST_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/passes.h"
#include "compiler/lower/storage_plan.h"
#include "configs/core_config.h"
#include "runtime/program/program.h"

namespace vta::lower {

// A program step of kind kCore and the nodes that it computes.
struct CoreStep {
  size_t step = 0;     // index in the program's steps
  graph::NodeId node;  // of the step's operator; of a copy: the view that needs it
  std::optional<FusedAdd> add = {};
  std::optional<graph::NodeId> pool = {};  // of the operator's result
};

struct StepList {
  std::vector<ProgramValue> values;
  std::vector<ProgramStep> steps;
  std::vector<CoreStep> core_steps;
  std::vector<ValueId> inputs, outputs;
  StoragePlan storage;  // of the device values
};

// fuses: computes a residual add or a max pool in the stream of a convolution that has no other
// use. `reasons`: why operators run on the host.
StepList list_steps(const graph::Graph& graph, LayerContext& context, bool fuses,
                    const HostReasons& reasons);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_STEP_LIST_H_
