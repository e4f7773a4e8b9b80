// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/plan.h"

#include "compiler/quantize/equalize.h"
#include "compiler/quantize/refine_shifts.h"
#include "compiler/quantize/statistics.h"
#include "compiler/quantize/sum_bounds.h"

namespace vta::quantize {

using graph::Graph;

namespace {

// Statistics of the graph, after equalization if `options` ask for it.
Statistics statistics_of(Graph& graph, Regions& regions, const Options& options,
                         const std::vector<std::vector<Tensor>>& calibration,
                         const std::function<void(double)>& on_progress) {
  if (!*options.equalize) return collect_statistics(graph, regions, calibration, on_progress);
  const auto half = [&](double base) {
    return [&on_progress, base](double fraction) { on_progress(base + fraction / 2); };
  };
  Statistics statistics = collect_statistics(graph, regions, calibration, half(0));
  if (!equalize(graph, regions, statistics, *options.per_channel)) return statistics;
  regions = find_regions(graph, options.keep_float);
  return collect_statistics(graph, regions, calibration, half(0.5));
}

// `options` resolved. VTA's flow ends before the classifier.
Options options_of(const Graph& graph, const Options& options, size_t num_calibration_inputs) {
  Options result = resolved(options, num_calibration_inputs);
  if (result.method != Method::kGlobal) return result;
  for (graph::NodeId id : classifiers_of(graph)) result.keep_float.push_back(graph.node(id).name);
  return result;
}

}  // namespace

Plan make_plan(const Graph& graph, const Options& options,
               const std::vector<std::vector<Tensor>>& calibration,
               const std::function<void(double)>& on_progress) {
  const Options chosen = options_of(graph, options, calibration.size());
  Plan plan{graph, chosen.keep_float, find_regions(graph, chosen.keep_float), {}, {}, {}};
  plan.rewriting.truncate_average = chosen.method == Method::kGlobal;
  if (chosen.method == Method::kGlobal) {
    plan.scales = global_scales(plan.source, plan.regions);
    plan.result = rewrite(plan.source, plan.regions, plan.scales, plan.rewriting);
    return plan;
  }
  if (calibration.empty()) {
    fail(ErrorCode::kInvalidArgument, "{}: quantization by {} needs calibration inputs", graph.name,
         to_string(chosen.method));
  }
  const bool refines = *chosen.rounding == WeightRounding::kAdaptive;
  const double share = refines ? 0.5 : 1;  // of the progress, taken by the statistics
  const auto progress = [&](double base, double part) {
    return [&on_progress, base, part](double fraction) {
      if (on_progress) on_progress(base + part * fraction);
    };
  };
  const Statistics statistics =
      statistics_of(plan.source, plan.regions, chosen, calibration, progress(0, share));
  plan.scales = calibrated_scales(plan.source, plan.regions, chosen, statistics);
  plan.result = rewrite(plan.source, plan.regions, plan.scales, plan.rewriting);
  check_sums(plan.result.graph);  // before the work
  if (refines) {
    refine_shifts(plan.source, plan.scales, plan.regions, statistics, calibration,
                  progress(share, 1 - share), plan.result);
  }
  if (on_progress) on_progress(1);
  return plan;
}

}  // namespace vta::quantize
