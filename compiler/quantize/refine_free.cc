// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/refine_free.h"

#include <algorithm>
#include <map>
#include <string>

#include "compiler/quantize/forms.h"
#include "compiler/quantize/lattice.h"
#include "compiler/quantize/power_of_two.h"
#include "compiler/quantize/refine.h"
#include "compiler/quantize/weight_rows.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Weights in units of a scale per output channel.
struct ScaledRows {
  std::vector<double> rows, units;

  void add(std::span<const float> values) {
    const auto lattice = int8_lattice_of(values);
    if (lattice && std::ranges::min(lattice->levels) >= -kMaxInt8) {
      rows.insert(rows.end(), lattice->levels.begin(), lattice->levels.end());
      units.push_back(lattice->unit);
      return;
    }
    units.push_back(max_abs(values) / kMaxInt8);
    for (float value : values) rows.push_back(double{value} / units.back());
  }
};

class FreeLayers : public RefinedLayers {
 public:
  FreeLayers(const Graph& source, Merged& merged, Graph& graph)
      : source_(source), merged_(merged), graph_(graph) {
    std::map<std::string, NodeId> by_name;
    for (NodeId id : source.order()) {
      const Node& node = source.node(id);
      if (form_of(source, node) == Form::kWeighted) by_name[node.name] = id;
    }
    for (const auto& [id, layer] : merged.layers) {
      const auto found = by_name.find(layer.name);
      if (found != by_name.end()) real_of_[id] = found->second;
    }
  }

  // Layers with shifts in place of factors are exact.
  bool contains(NodeId layer) const override {
    return real_of_.contains(layer) && graph_.node(layer).attrs.scaled;
  }

  void round(NodeId id, const Batch& inputs) override {
    const Node& real = source_.node(real_of_.at(id));
    const RowShape shape = row_shape(source_, real);
    const std::vector<float> weights =
        to_rows<float>(shape, real.kind, source_.node(real.inputs[1]).value);
    const auto row_elems = static_cast<size_t>(shape.row_elems);
    ScaledRows scaled;
    for (size_t begin = 0; begin < weights.size(); begin += row_elems)
      scaled.add(std::span(weights).subspan(begin, row_elems));
    IntegerLayer layer = merged_.layers.at(id);
    layer.units = scaled.units;
    layer.rows = round_layer(graph_, graph_.node(id), inputs, scaled.rows, layer.x.levels.zero);
    layer.weights = from_rows(shape, real.kind, layer.rows, layer.weights.shape());
    if (layer.update(graph_, id)) merged_.layers.at(id) = std::move(layer);
  }

 private:
  const Graph& source_;
  Merged& merged_;
  Graph& graph_;
  std::map<NodeId, NodeId> real_of_;  // integer layer -> float layer
};

}  // namespace

void refine_free(const Graph& source, const std::vector<std::vector<Tensor>>& calibration,
                 const std::function<void(double)>& on_progress, Merged& merged, Graph& graph) {
  FreeLayers layers(source, merged, graph);
  refine(graph, layers, /*biases=*/nullptr, calibration, on_progress);
}

}  // namespace vta::quantize
