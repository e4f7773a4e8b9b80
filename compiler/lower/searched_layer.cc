// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/searched_layer.h"

#include <utility>

namespace vta::lower {
namespace {

// Of the schedule book. Errors: kInvalidArgument for a tiling that does not fit the layer.
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

FoundTiling choose_tiling(const ConvLayer& layer, const TuningTask& task, LayerContext& context) {
  if (context.schedules != nullptr) {
    if (const auto* entry = context.schedules->find(task.text))
      return scheduled(*entry, task.problem, context.core);
  }
  const auto& found = found_tiling(layer, context);
  VTA_ASSERT(found.has_value(), "only pools that fit are in a convolution's stream");
  return *found;
}

}  // namespace

const std::optional<FoundTiling>& found_tiling(const ConvLayer& layer, LayerContext& context) {
  const TilingCache::Key key{layer.shape,
                             layer.residual.has_value(),
                             is_leaky(layer),
                             channel_elems(layer, context),
                             layer.residual && layer.residual->requantization.scaled,
                             layer.residual ? layer.residual->shift_tile : 0,
                             layer.residual ? layer.residual->shift_residual : 0,
                             convolution_passes(context.style, layer.requantization).size(),
                             max_last_parts(layer, context)};
  return context.tilings.find(key, [&] { return find_tiling(layer, context); });
}

std::string lower_searched(const ConvLayer& layer, LayerContext& context) {
  TuningTask task;
  task.problem = tiling_problem(layer, context);
  task.text = task_text(task.problem, context.place);
  const FoundTiling found = choose_tiling(layer, task, context);
  lower_convolution(layer, found.tiling, context);
  context.tiling = report_of(found, layer.shape);
  task.tiling = found.tiling;
  context.task = std::move(task);
  return to_string(found.tiling, layer.shape);
}

}  // namespace vta::lower
