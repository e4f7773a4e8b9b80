// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/dynamic_quantization.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vta::onnx {
namespace {

// A use of a value: operand `index` of a node.
struct Use {
  size_t node;
  size_t index;
};

class Remover {
 public:
  explicit Remover(Model& model) : model_(model) {
    for (size_t i = 0; i < model.nodes.size(); ++i) {
      const NodeDef& node = model.nodes[i];
      for (size_t k = 0; k < node.inputs.size(); ++k) uses_[node.inputs[k]].push_back({i, k});
      for (const auto& [name, attribute] : node.attributes)
        if (attribute.graph != nullptr) keep_names_of(*attribute.graph);
    }
    for (const ValueDef& output : model.outputs) kept_.insert(output.name);
  }

  void run() {
    for (const NodeDef& node : model_.nodes) {
      if (!is_removable(node)) continue;
      for (const Use& use : uses_of(node.outputs[0]))
        make_real(model_.nodes[use.node], node.inputs[0]);
      Array one;
      one.floats = {1};
      model_.constants[node.outputs[1]] = std::move(one);
      removed_.insert(node.outputs[0]);
    }
    std::erase_if(model_.nodes, [this](const NodeDef& node) {
      return !node.outputs.empty() && removed_.contains(node.outputs[0]);
    });
  }

 private:
  // What a branch or body uses of the graph around it.
  void keep_names_of(const Model& body) {
    for (const NodeDef& node : body.nodes) {
      kept_.insert(node.inputs.begin(), node.inputs.end());
      for (const auto& [name, attribute] : node.attributes)
        if (attribute.graph != nullptr) keep_names_of(*attribute.graph);
    }
    for (const ValueDef& output : body.outputs) kept_.insert(output.name);
  }

  static bool is_own(const NodeDef& node, const char* op) {
    return node.domain.empty() && node.op == op;
  }

  const std::vector<Use>& uses_of(const std::string& name) const {
    static const std::vector<Use> kNone;
    const auto found = uses_.find(name);
    return name.empty() || found == uses_.end() ? kNone : found->second;
  }

  // Whether nothing but nodes that satisfy the predicate uses any of these values.
  template <typename Predicate>
  bool have_only_uses(const std::set<std::string>& names, Predicate&& predicate) const {
    return std::ranges::all_of(names, [&](const std::string& name) {
      return !kept_.contains(name) && std::ranges::all_of(uses_of(name), predicate);
    });
  }

  // Whether the levels are used in products only, and each product, cast to float, is multiplied by
  // the scale or by the scale times a constant, and these by nothing else. Only then may the scale
  // become 1.
  bool is_removable(const NodeDef& node) const {
    if (!is_own(node, "DynamicQuantizeLinear") || node.inputs.size() != 1) return false;
    if (node.outputs.size() != 3) return false;
    const std::string &levels = node.outputs[0], &scale = node.outputs[1], &zero = node.outputs[2];
    if (levels.empty() || scale.empty() || zero.empty()) return false;
    const std::set<std::string> products = results_of({levels}), reals = results_of(products);
    if (products.empty()) return false;
    const auto multiplies_levels = [&](const Use& use) { return is_product(use, zero); };
    const auto is_their_zero = [&](const Use& use) { return is_zero_of(use, levels); };
    const auto casts = [&](const Use& use) { return is_cast_to_float(use); };
    const auto scales_constant = [&](const Use& use) {
      return model_.constants.contains(other_factor(use));
    };
    const auto scales_real = [&](const Use& use) { return reals.contains(other_factor(use)); };
    const auto is_scaling = [&](const Use& use) {
      return scales_real(use) || scales_constant(use);
    };
    std::set<std::string> scaled_constants;
    for (const Use& use : uses_of(scale))
      if (scales_constant(use)) add_result(use, scaled_constants);
    const auto is_scaled = [&](const Use& use) {
      const std::string factor = other_factor(use);
      return factor == scale || scaled_constants.contains(factor);
    };
    return have_only_uses({levels}, multiplies_levels) && have_only_uses({zero}, is_their_zero) &&
           have_only_uses(products, casts) && have_only_uses(reals, is_scaled) &&
           have_only_uses({scale}, is_scaling) && have_only_uses(scaled_constants, scales_real);
  }

  bool is_cast_to_float(const Use& use) const {
    const NodeDef& node = model_.nodes[use.node];
    const auto to = node.attributes.find("to");
    return is_own(node, "Cast") && to != node.attributes.end() &&
           to->second.integer == static_cast<int64_t>(ElementType::kFloat);
  }

  void add_result(const Use& use, std::set<std::string>& results) const {
    const std::vector<std::string>& outputs = model_.nodes[use.node].outputs;
    if (!outputs.empty() && !outputs[0].empty()) results.insert(outputs[0]);
  }

  std::set<std::string> results_of(const std::set<std::string>& names) const {
    std::set<std::string> results;
    for (const std::string& name : names)
      for (const Use& use : uses_of(name)) add_result(use, results);
    return results;
  }

  // The operand of a Mul beside the use; "" of another operator.
  std::string other_factor(const Use& use) const {
    const NodeDef& node = model_.nodes[use.node];
    return is_own(node, "Mul") && node.inputs.size() == 2 ? node.inputs[1 - use.index] : "";
  }

  // Whether it is the zero point of a product of these levels.
  bool is_zero_of(const Use& use, const std::string& levels) const {
    const NodeDef& node = model_.nodes[use.node];
    return is_integer_product(node) && use.index == 2 && node.inputs[0] == levels;
  }

  static bool is_integer_product(const NodeDef& node) {
    return is_own(node, "ConvInteger") || is_own(node, "MatMulInteger");
  }

  // Whether the levels are the left operand of a product with constant weights, with this zero
  // point.
  bool is_product(const Use& use, const std::string& zero) const {
    const NodeDef& node = model_.nodes[use.node];
    if (!is_integer_product(node) || use.index != 0 || node.inputs.size() < 2) return false;
    const auto input = [&](size_t i) {
      return i < node.inputs.size() ? node.inputs[i] : std::string();
    };
    if (input(2) != zero || zero.empty()) return false;
    const auto weights = model_.constants.find(input(1));
    if (weights == model_.constants.end() || weights->second.is_float()) return false;
    if (input(3).empty()) return true;
    const auto zeros = model_.constants.find(input(3));
    return zeros != model_.constants.end() &&
           are_of(zeros->second, weights->second, is_own(node, "ConvInteger"));
  }

  // Whether there is one zero point, or one for each output channel of the weights.
  static bool are_of(const Array& zeros, const Array& weights, bool is_conv) {
    if (zeros.type != weights.type) return false;
    if (zeros.size() == 1) return true;
    const bool is_matrix = weights.dims.size() == 2;
    return zeros.dims.size() == 1 && (is_conv ? !weights.dims.empty() : is_matrix) &&
           zeros.size() == (is_conv ? weights.dims[0] : weights.dims[1]);
  }

  void make_real(NodeDef& node, const std::string& x) {
    const bool is_conv = node.op == "ConvInteger";
    const std::string zeros = node.inputs.size() > 3 ? node.inputs[3] : std::string();
    node.inputs = {x, real_weights(node.inputs[1], zeros, is_conv)};
    node.op = is_conv ? "Conv" : "MatMul";
  }

  // The name of the weights less their zero points, in float.
  std::string real_weights(const std::string& name, const std::string& zeros, bool is_conv) {
    const auto found = real_.find({name, zeros});
    if (found != real_.end()) return found->second;
    std::string key = name + ".real";
    while (model_.constants.contains(key) || uses_.contains(key)) key += "_";
    const Array& weights = model_.constants.at(name);
    Array real;
    real.dims = weights.dims;
    const Array none{weights.type, {}, {}, {0}};
    const Array& zero = zeros.empty() ? none : model_.constants.at(zeros);
    const int64_t row = is_conv && zero.size() > 1 ? weights.size() / zero.size() : 1;
    for (int64_t i = 0; i < weights.size(); ++i) {
      const int64_t channel = i / row % zero.size();
      real.floats.push_back(static_cast<float>(weights.at(i) - zero.at(channel)));
    }
    model_.constants[key] = std::move(real);
    return real_[{name, zeros}] = key;
  }

  Model& model_;
  std::map<std::string, std::vector<Use>> uses_;
  std::set<std::string> kept_;     // outputs, and what branches and bodies use
  std::set<std::string> removed_;  // the levels of removed nodes
  std::map<std::pair<std::string, std::string>, std::string> real_;  // by weights and zero points
};

}  // namespace

void remove_dynamic_quantization(Model& model) { Remover(model).run(); }

}  // namespace vta::onnx
