// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/searched_layer.h"

#include <utility>

#include "compiler/lower/tiling_sizes.h"

namespace vta::lower {
namespace {

// The schedule book's tiling. Errors: kInvalidArgument for one that does not fit the layer.
FoundTiling scheduled(const ScheduleBook::Entry& entry, const TilingProblem& problem,
                      const CoreConfig& core) {
  if (const auto reason = why_illegal(problem, entry.tiling, core)) {
    fail(ErrorCode::kInvalidArgument, "{}: tiling {} does not fit this layer: {}", entry.origin,
         to_string(entry.tiling, problem.shape), *reason);
  }
  FoundTiling found{entry.tiling, std::nullopt, 0};
  found.tiling.cost = estimate(problem, entry.tiling, core);
  return found;
}

FoundTiling choose_tiling(const TuningTask& task, LayerContext& context) {
  if (context.schedules != nullptr) {
    if (const auto* entry = context.schedules->find(task.text))
      return scheduled(*entry, task.problem, context.core);
  }
  const auto& found = found_tiling(task.problem, context);
  VTA_ASSERT(found.has_value(), "only pools that fit are in a convolution's stream");
  return *found;
}

}  // namespace

const std::optional<FoundTiling>& found_tiling(const TilingProblem& problem,
                                               LayerContext& context) {
  return context.tilings.find(task_text(problem, /*place=*/""),
                              [&] { return find_tiling(problem, context.core); });
}

std::string lower_searched(const ConvLayer& layer, LayerContext& context) {
  TuningTask task;
  task.problem = tiling_problem(layer, context);
  task.text = task_text(task.problem, context.place);
  const FoundTiling found = choose_tiling(task, context);
  task.tiling = found.tiling;
  lower_convolution(layer, task, context);
  context.tiling = report_of(found, layer.shape);
  context.task = std::move(task);
  return to_string(found.tiling, layer.shape);
}

}  // namespace vta::lower
