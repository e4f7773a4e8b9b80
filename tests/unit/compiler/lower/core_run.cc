// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/compiler/lower/core_run.h"

#include <cstdlib>
#include <map>

#include "hw/isa/program_bytes.h"
#include "runtime/host/host_operators.h"
#include "runtime/program/stream_checker.h"
#include "sim/functional/functional_device.h"
#include "tests/support/integer_reference.h"

namespace vta::test {

CoreConfig core_named(const std::string& name, bool extension) {
  CoreConfig core = load_core_config(name);
  core.extension = extension;
  return core;
}

void check_streams(const Program& program) {
  for (const StreamSteps steps : streams_of(program)) {
    const auto stream = isa::instructions_in(stream_bytes(program, steps));
    with_context(program.steps[steps.first].layer, [&] {
      check_stream(stream, program.core, program.arena_image, program.arena_bytes);
    });
  }
}

// Arithmetic by the reference, data movement by the host's operators.
Tensor execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs) {
  return is_in_reference(kind) ? reference_execute(kind, attrs, inputs)
                               : host::execute(kind, attrs, inputs);
}

CoreRun run_on_core(const graph::Graph& graph, const CoreConfig& core, lower::Mode mode,
                    const std::vector<Tensor>& inputs, const lower::LoweringOptions& options) {
  CoreRun run;
  run.lowered = lower::lower(graph, core, mode, options);
  check_streams(run.lowered.program);
  const auto device = sim::open_functional_device("functional", core);
  Session session(run.lowered.program, *device, execute);
  run.outputs = session.run(inputs, &run.report);
  return run;
}

std::vector<Tensor> run_by_reference(const graph::Graph& graph, const std::vector<Tensor>& inputs) {
  std::map<graph::NodeId, Tensor> values;
  for (graph::NodeId id : graph.order()) {
    const graph::Node& node = graph.node(id);
    if (node.kind == OpKind::kInput) {
      values[id] = inputs.at(node.attrs.index);
    } else if (node.kind == OpKind::kConstant) {
      values[id] = node.value;
    } else {
      std::vector<Tensor> operands;
      for (graph::NodeId input : node.inputs) operands.push_back(values.at(input));
      values[id] = execute(node.kind, node.attrs, operands);
    }
  }
  std::vector<Tensor> outputs;
  for (graph::NodeId id : graph.outputs()) outputs.push_back(values.at(id));
  return outputs;
}

lower::Tiling draw_tiling(Random& random, const std::vector<lower::Tiling>& tiles,
                          const lower::TilingProblem& problem, const CoreConfig& core) {
  const auto pick = [&](const std::vector<lower::Tiling>& all) {
    return all.at(static_cast<size_t>(random.between(0, std::ssize(all) - 1)));
  };
  return pick(lower::with_all_slots(problem, pick(tiles), core));
}

CoreRun run_with_tiling(const graph::Graph& graph, const CoreConfig& core, const std::string& task,
                        const lower::Tiling& tiling, const std::vector<Tensor>& inputs) {
  lower::ScheduleBook book;
  book.set(task, {tiling, "test"});
  return run_on_core(graph, core, lower::Mode::kFused, inputs, {.schedules = &book});
}

}  // namespace vta::test
