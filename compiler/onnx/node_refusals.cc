// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/node_refusals.h"

#include <set>

#include "base/errors/error.h"
#include "compiler/onnx/import_onnx.h"

namespace vta::onnx {
namespace {

// Also what its branches and bodies use of the graph around them.
void add_used(const NodeDef& node, std::set<std::string>& names) {
  names.insert(node.inputs.begin(), node.inputs.end());
  for (const auto& [name, attribute] : node.attributes) {
    if (attribute.graph == nullptr) continue;
    for (const NodeDef& inner : attribute.graph->nodes) add_used(inner, names);
    for (const ValueDef& output : attribute.graph->outputs) names.insert(output.name);
  }
}

class NodeModels {
 public:
  explicit NodeModels(const Model& model) : model_(model) {
    for (const auto* values : {&model.inputs, &model.outputs})
      for (const ValueDef& value : *values) types_[value.name] = &value;
  }

  Model of(const NodeDef& node) const {
    Model alone;
    alone.name = model_.name;
    alone.opsets = model_.opsets;
    alone.functions = model_.functions;
    alone.nodes = {node};
    std::set<std::string> used;
    add_used(node, used);
    for (const std::string& name : used) {
      const auto constant = model_.constants.find(name);
      if (constant != model_.constants.end()) {
        alone.constants.insert(*constant);
      } else if (const auto type = types_.find(name); type != types_.end()) {
        alone.inputs.push_back(*type->second);
      }
    }
    for (const std::string& input : node.inputs) need_type(input);
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      need_type(output);
      alone.outputs.push_back(*types_.at(output));
    }
    return alone;
  }

 private:
  void need_type(const std::string& name) const {
    if (name.empty() || types_.contains(name) || model_.constants.contains(name)) return;
    fail(ErrorCode::kUnsupported, "the model does not state the type of value '{}'",
         printable(name));
  }

  const Model& model_;
  std::map<std::string, const ValueDef*> types_;
};

}  // namespace

std::vector<std::string> node_refusals(const Model& model) {
  const NodeModels models(model);
  std::vector<std::string> refusals;
  for (const NodeDef& node : model.nodes) {
    std::string& why = refusals.emplace_back();
    try {
      import_onnx(models.of(node));
    } catch (const Error& error) {
      why = error.what();
    }
  }
  return refusals;
}

}  // namespace vta::onnx
