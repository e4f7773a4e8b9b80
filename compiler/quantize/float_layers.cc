// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/float_layers.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/errors/error.h"
#include "compiler/quantize/noise_measurement.h"
#include "compiler/quantize/sensitivity.h"
#include "compiler/quantize/weight_rows.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Shares of the progress; the rest is for plans with layers in fp32.
constexpr double kPlanShare = 0.2, kChoiceShare = 0.6;
constexpr int kSteps = 10;  // of the bisection

struct Candidate {
  NodeId layer = -1;
  double noise = 0;  // of the network's results, of this layer alone
  double macs = 0;
};

double macs_of(const Graph& graph, const Node& layer) {
  return static_cast<double>(layer.type.num_elems()) *
         static_cast<double>(row_shape(graph, layer).row_elems);
}

class Chooser {
 public:
  // Errors: as NoiseMeasurement.
  Chooser(const NoiseMeasurement& measurement, const std::function<void(double)>& on_progress)
      : measurement_(measurement) {
    const std::set<NodeId> all(measurement.layers().begin(), measurement.layers().end());
    for (NodeId layer : measurement.layers()) {
      std::set<NodeId> others = all;
      others.erase(layer);
      const Graph& graph = measurement.plan().source;
      candidates_.push_back(
          {layer, measurement.with_float(others).noise, macs_of(graph, graph.node(layer))});
      on_progress(static_cast<double>(candidates_.size()) / static_cast<double>(all.size()));
    }
    // The layers that are best in integers come first.
    std::ranges::stable_sort(candidates_, [](const Candidate& a, const Candidate& b) {
      return a.noise * b.macs < b.noise * a.macs;
    });
  }

  // Those that add noise. No choice has more.
  std::set<NodeId> noisy() const { return beyond(0); }

  // The fewest that reach the ratio together. Noise adds up only roughly, so that the noise which
  // integer layers may have one by one is found by bisection.
  std::set<NodeId> choose(double wanted_db) const {
    if (measurement_.with_float({}).decibels() >= wanted_db) return {};
    double largest = 0;
    for (const Candidate& candidate : candidates_) largest += candidate.noise;
    double low = 0, high = 1;  // shares of the sum; low is quiet enough
    for (int i = 0; i < kSteps; ++i) {
      const double middle = (low + high) / 2;
      const bool is_quiet =
          measurement_.with_float(beyond(middle * middle * largest)).decibels() >= wanted_db;
      (is_quiet ? low : high) = middle;
    }
    return beyond(low * low * largest);
  }

 private:
  // The layers that are left if integer ones may have this noise.
  std::set<NodeId> beyond(double budget) const {
    std::set<NodeId> floats;
    for (const Candidate& candidate : candidates_) {
      if (candidate.noise > budget) {
        floats.insert(candidate.layer);
      } else {
        budget -= candidate.noise;
      }
    }
    return floats;
  }

  const NoiseMeasurement& measurement_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<std::string> choose_float_layers(const Graph& graph, const Options& options,
                                             const std::vector<std::vector<Tensor>>& calibration,
                                             double wanted_db,
                                             const std::function<void(double)>& on_progress) {
  if (options.free_scales || options.method == Method::kGlobal) {
    fail(ErrorCode::kInvalidArgument,
         "layers to keep in fp32 are chosen with scales that are powers of two and method max, mse "
         "or kl");
  }
  const auto progress = [&](double fraction) {
    if (on_progress) on_progress(fraction);
  };
  const Plan plan = make_plan(graph, options, calibration,
                              [&](double fraction) { progress(kPlanShare * fraction); });
  const NoiseMeasurement measurement(plan, calibration);
  if (!std::isfinite(measurement.with_float({}).noise)) {
    fail(ErrorCode::kInvalidArgument,
         "the results of '{}' on the calibration inputs are not finite, so that no ratio of signal "
         "to noise says which layers to keep in fp32; name them, or use other inputs",
         graph.name);
  }
  const Chooser chooser(measurement,
                        [&](double fraction) { progress(kPlanShare + kChoiceShare * fraction); });
  Options chosen = options;
  // The remaining layers are quantized anew, with other scales and weights than were measured.
  for (double margin_db = 0;; margin_db += 0.5) {
    chosen.keep_float = options.keep_float;
    const std::set<NodeId> floats = chooser.choose(wanted_db + margin_db);
    for (NodeId id : floats) chosen.keep_float.push_back(plan.source.node(id).name);
    if (floats == chooser.noisy()) return chosen.keep_float;
    constexpr double kChosen = kPlanShare + kChoiceShare;
    const Plan anew = make_plan(graph, chosen, calibration, [&](double fraction) {
      progress(kChosen + (1 - kChosen) * fraction);
    });
    if (measure_noise(anew, calibration).snr_db >= wanted_db) return chosen.keep_float;
  }
}

}  // namespace vta::quantize
