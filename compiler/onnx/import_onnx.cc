// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/import_onnx.h"

#include <algorithm>
#include <utility>

#include "base/errors/counted.h"
#include "compiler/onnx/batch_axis.h"
#include "compiler/onnx/dynamic_quantization.h"
#include "compiler/onnx/merge_bias.h"
#include "compiler/onnx/node_context.h"
#include "compiler/onnx/open_axes.h"
#include "compiler/onnx/operator_table.h"
#include "compiler/onnx/unroll.h"

namespace vta::onnx {
namespace {

using ValueRef = std::shared_ptr<Value>;

constexpr int kMaxOpenCalls = 32;                        // functions that call each other
constexpr int64_t kMaxImportedNodes = int64_t{1} << 17;  // with those of functions and loops

// Whether the axis is the height or width of an image.
bool is_image_side(const ValueDef& input, size_t axis) {
  if (input.dims.size() != 4) return false;
  const size_t first = first_image_side(input);
  return axis == first || axis == first + 1;
}

// What is said of an axis without a known size, if an operator uses the input.
std::string missing_size(const ValueDef& input, size_t axis) {
  std::string name = printable(axis_name(input, axis));
  if (!name.empty()) name = fmt::format(" ('{}')", name);
  const std::optional<size_t> batch_axis = batch_axis_by_name(input);
  std::vector<std::string> sizes;
  for (size_t i = 0; i < input.dims.size(); ++i) {
    const bool is_known = input.dims[i] || i == batch_axis;
    sizes.push_back(is_known ? fmt::format("{}", input.dims[i].value_or(1)) : "N");
  }
  const std::string text = printable(input.name);
  std::string cure;
  if (is_image_side(input, axis)) {
    cure = "--input-size HxW or ";
  } else if (!batch_axis) {
    cure = fmt::format("--batch-axis {}={} (a batch) or ", text, axis);
  }
  return fmt::format(
      "axis {}{} of the network's input has no known size: give it with {}--input-shape {}={}",
      axis, name, cure, text, fmt::join(sizes, "x"));
}

class Importer {
 public:
  Importer(Model model, const std::map<std::string, Array>& known)
      : model_(std::move(model)), known_(known) {}

  Imported run() {
    check_opset();
    remove_dynamic_quantization(model_);
    for (auto& [name, array] : model_.constants) define_constant(name, std::move(array));
    for (const ValueDef& input : model_.inputs) define_input(input);
    count_uses(model_);
    import_nodes(model_);
    Imported result;
    result.outputs = make_outputs();
    result.inputs = number_inputs();
    writer_.graph().name = model_.name;
    writer_.graph().erase_dead();
    merge_bias(writer_.graph());
    result.is_quantized = is_quantized_;
    result.notes = std::move(notes_);
    result.graph = std::move(writer_.graph());
    return result;
  }

 private:
  static const std::string& shown_name(const NodeDef& node) {
    return node.name.empty() && !node.outputs.empty() ? node.outputs[0] : node.name;
  }

  void check_opset() {
    const auto found = model_.opsets.find("");
    if (found == model_.opsets.end()) {
      fail(ErrorCode::kUnsupported, "the model does not import ONNX's own operator set");
    }
    set_opset(found->second);
  }

  void set_opset(int64_t opset) {
    opset_ = opset;
    if (opset_ < kFirstOpset || opset_ > kLastOpset) {
      fail(ErrorCode::kUnsupported, "opset {} is outside {} to {}", opset_, kFirstOpset,
           kLastOpset);
    }
  }

  void define(const std::string& name, ValueRef value) {
    if (value == nullptr) fail(ErrorCode::kCorrupt, "'{}' has no value", printable(name));
    if (value->name.empty()) value->name = name;
    if (!values_.emplace(name, std::move(value)).second) {
      fail(ErrorCode::kCorrupt, "'{}' has two producers", printable(name));
    }
  }

  void define_constant(const std::string& name, Array array) {
    auto value = std::make_shared<Value>();
    value->type = array.type;
    value->dims = array.dims;
    value->array = std::make_shared<const Array>(std::move(array));
    define(name, std::move(value));
  }

  void define_input(const ValueDef& input) {
    auto value = std::make_shared<Value>();
    value->type = input.type;
    value->is_input = true;
    if (!input.has_shape) {
      value->missing =
          fmt::format("the network's input has no shape: give it with --input-shape {}=1x3x224x224",
                      printable(input.name));
    }
    const std::optional<size_t> batch_axis = batch_axis_by_name(input);
    for (size_t i = 0; i < input.dims.size(); ++i) {
      const bool is_known = input.dims[i] || i == batch_axis;
      if (!is_known && value->missing.empty()) value->missing = missing_size(input, i);
      value->dims.push_back(input.dims[i].value_or(1));
    }
    const auto known = known_.find(input.name);
    if (known != known_.end()) {
      value->type = known->second.type;
      value->dims = known->second.dims;
      value->array = std::make_shared<const Array>(known->second);
      value->missing.clear();
    }
    if (!is_readable(value->type)) {
      value->missing = fmt::format("element type {} of the network's input is not supported",
                                   to_string(value->type));
    }
    if (value->missing.empty()) num_elems(value->dims);
    inputs_[input.name] = value;
    define(input.name, std::move(value));
  }

  // Uses of each value, also by branches, which use values of the graphs around them: a value is
  // freed after its last use, so that folded weights do not stay in memory.
  void count_uses(const Model& model) {
    for (const NodeDef& node : model.nodes) {
      for (const std::string& input : node.inputs) ++uses_[input];
      for (const auto& [name, attribute] : node.attributes) {
        if (attribute.graph != nullptr) count_uses(*attribute.graph);
      }
    }
    for (const ValueDef& output : model.outputs) ++uses_[output.name];
  }

  void import_nodes(const Model& model) {
    for (const NodeDef& node : model.nodes) {
      const std::string context =
          fmt::format("node '{}' ({})", printable(shown_name(node)), printable(node.op));
      with_context(context, [&] { import_node(node); });
    }
  }

  // Imports a graph of the node's model: from its inputs to its outputs. Its own names end with it.
  Values import_body(const Model& body, const Values& inputs) {
    if (body.inputs.size() != inputs.size()) {
      fail(ErrorCode::kCorrupt, "a graph with {}, expected {}",
           counted(body.inputs.size(), "input"), inputs.size());
    }
    const std::map<std::string, ValueRef> around = values_;
    const std::map<std::string, int64_t> uses = uses_;  // a body is imported more than once
    for (const auto& [name, array] : body.constants) define_constant(name, array);
    for (size_t i = 0; i < inputs.size(); ++i) define(body.inputs[i].name, inputs[i]);
    import_nodes(body);
    Values results;
    for (const ValueDef& output : body.outputs) {
      const auto found = values_.find(output.name);
      if (found == values_.end())
        fail(ErrorCode::kCorrupt, "no node computes '{}'", printable(output.name));
      results.push_back(found->second);
    }
    values_ = around;
    uses_ = uses;
    return results;
  }

  // The value of a function's attribute: the node's, else the default; null: absent.
  static const Attribute* referenced(const std::string& name, const NodeDef& node,
                                     const Function& function) {
    for (const auto* attributes : {&node.attributes, &function.attributes}) {
      const auto found = attributes->find(name);
      if (found != attributes->end()) return &found->second;
    }
    return nullptr;
  }

  // The nodes of a function, called by `node`: named after it, with its values of the attributes.
  std::vector<NodeDef> called_nodes(const NodeDef& node, const Function& function) {
    std::vector<NodeDef> nodes = function.nodes;
    for (NodeDef& inner : nodes) {
      inner.name = fmt::format("{}.{}", printable(shown_name(node)), printable(shown_name(inner)));
      std::map<std::string, Attribute> attributes;
      for (const auto& [name, attribute] : inner.attributes) {
        const Attribute* value = attribute.reference.empty()
                                     ? &attribute
                                     : referenced(attribute.reference, node, function);
        if (value != nullptr) attributes.emplace(name, *value);
      }
      inner.attributes = std::move(attributes);
    }
    return nodes;
  }

  // Imports the nodes of a function in place of the node. Functions have names and an opset of
  // their own.
  void import_call(const NodeDef& node, const Function& function, const Values& inputs) {
    if (++num_open_calls_ > kMaxOpenCalls)
      fail(ErrorCode::kUnsupported, "more than {} functions call each other", kMaxOpenCalls);
    if (inputs.size() > function.inputs.size() || node.outputs.size() > function.outputs.size()) {
      fail(ErrorCode::kCorrupt, "{} and {} for a function of {} and {}",
           counted(inputs.size(), "input"), counted(node.outputs.size(), "output"),
           function.inputs.size(), function.outputs.size());
    }
    Model body;
    body.nodes = called_nodes(node, function);
    std::map<std::string, ValueRef> around = std::exchange(values_, {});
    std::map<std::string, int64_t> uses = std::exchange(uses_, {});
    const int64_t opset = opset_;
    const auto own = function.opsets.find("");
    if (own != function.opsets.end()) set_opset(own->second);
    for (size_t i = 0; i < function.inputs.size(); ++i)
      values_[function.inputs[i]] = i < inputs.size() ? inputs[i] : nullptr;
    count_uses(body);
    for (const std::string& output : function.outputs) ++uses_[output];
    import_nodes(body);
    Values results;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const auto found = values_.find(function.outputs[i]);
      if (found == values_.end())
        fail(ErrorCode::kCorrupt, "no node computes '{}'", printable(function.outputs[i]));
      results.push_back(found->second);
    }
    values_ = std::move(around);
    uses_ = std::move(uses);
    opset_ = opset;
    --num_open_calls_;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].empty()) define(node.outputs[i], results[i]);
    }
  }

  // Imports the graph in place of the node.
  void import_branch(const NodeDef& node, NodeContext& context, const Values& inputs,
                     const Model& branch) {
    const auto body = [&](const Values& of_body) { return import_body(branch, of_body); };
    const size_t num_outputs = branch.outputs.size();
    const Values results =
        node.op == "Loop"   ? unroll_loop(context, inputs, num_outputs, writer_, body)
        : node.op == "Scan" ? unroll_scan(context, inputs, num_outputs, writer_, body)
                            : body({});
    if (results.size() < node.outputs.size()) {
      fail(ErrorCode::kCorrupt, "a graph with {} for a node with {}",
           counted(num_outputs, "output"), node.outputs.size());
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].empty()) define(node.outputs[i], results[i]);
    }
  }

  Values inputs_of(const NodeDef& node) {
    Values inputs;
    for (const std::string& name : node.inputs) {
      const auto found = values_.find(name);
      if (!name.empty() && found == values_.end()) {
        fail(ErrorCode::kCorrupt, "input '{}' is neither an input of the model nor computed before",
             printable(name));
      }
      inputs.push_back(name.empty() ? nullptr : found->second);
    }
    while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
    return inputs;
  }

  void import_node(const NodeDef& node) {
    if (++num_nodes_ > kMaxImportedNodes) {
      fail(ErrorCode::kUnsupported, "more than {} nodes, with those of functions and loops",
           kMaxImportedNodes);
    }
    const auto function = model_.functions.find({node.domain, node.op});
    if (function != model_.functions.end()) {
      import_call(node, function->second, inputs_of(node));
    } else {
      import_operator(node);
    }
    for (const std::string& input : node.inputs) {
      if (--uses_[input] == 0) values_.erase(input);
    }
  }

  void import_operator(const NodeDef& node) {
    const Values inputs = inputs_of(node);
    for (const auto& [name, attribute] : node.attributes) {
      if (!attribute.reference.empty())
        fail(ErrorCode::kUnsupported, "attribute '{}' refers to an attribute of a function",
             printable(name));
    }
    refuse_open_axes(node, inputs);
    const OperatorEntry& entry = choose(node, inputs);
    const int64_t version = version_in_opset(entry, opset_);
    with_context(fmt::format("version {}", version), [&] {
      const bool lists_as_inputs = entry.inputs_since > 0 && version >= entry.inputs_since;
      NodeContext context(node, version, lists_as_inputs, inputs, writer_);
      run_on_bounds(entry, context, inputs);
      context.refuse_unknown_attributes();
      is_quantized_ = is_quantized_ || (quantizes(node.op) && !context.are_results_known());
      if (const Model* branch = context.branch())
        return import_branch(node, context, inputs, *branch);
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (!node.outputs[i].empty()) define(node.outputs[i], context.results()[i]);
      }
    });
  }

  bool is_open(const ValueRef& value) const {
    return value != nullptr && value->node >= 0 && writer_.node(value->node).type.is_open();
  }

  // Bounds that do not fit are not an error of the model: the sizes of a run may.
  void run_on_bounds(const OperatorEntry& entry, NodeContext& context, const Values& inputs) {
    try {
      entry.run(context);
    } catch (const Error& error) {
      const bool has_open =
          std::ranges::any_of(inputs, [this](const ValueRef& input) { return is_open(input); });
      if (!has_open || error.code() == ErrorCode::kUnsupported) throw;
      fail(ErrorCode::kUnsupported, "{} (open axes have their upper bounds here)", error.what());
    }
  }

  // Import functions of other operators compute with the sizes of their inputs.
  void refuse_open_axes(const NodeDef& node, const Values& inputs) const {
    if (node.domain.empty() && takes_open_axes(node.op)) return;
    const auto open = std::find_if(inputs.begin(), inputs.end(),
                                   [&](const ValueRef& input) { return is_open(input); });
    if (open == inputs.end()) return;
    const graph::Node& producer = writer_.node((*open)->node);
    const graph::Node& origin = writer_.graph().open_origin((*open)->node);
    fail(ErrorCode::kUnsupported,
         "axis {} of input '{}', {}, is open: only a run of {} ({}) gives its size; the operator "
         "needs fixed sizes",
         producer.type.first_open_axis(), printable((*open)->name), to_string(producer.type),
         origin.name, to_string(origin.kind));
  }

  // Not DequantizeLinear: a float network may store its weights quantized.
  static bool quantizes(const std::string& op) {
    constexpr const char* kOps[] = {
        "QuantizeLinear", "ConvInteger", "MatMulInteger", "DynamicQuantizeLinear",
        "QGemm",          "Quant",       "IntQuant",      "BipolarQuant",
        "Trunc"};
    return op.starts_with("QLinear") ||
           std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
  }

  // Weights; the graph's operators are faster on them.
  bool is_large(const ValueRef& value) const {
    constexpr int64_t kMaxElems = 4096;
    return value != nullptr && is_floating(value->type) && is_known(value) &&
           num_elems(value->dims) > kMaxElems;
  }

  bool is_known(const ValueRef& value) const {
    return value->is_constant() || writer_.is_constant(value->node);
  }

  // Whether the graph's operator can compute these constants with the same result: no tensor is
  // empty, and Cast does not round.
  static bool is_same_in_graph(const NodeDef& node, const std::vector<ValueRef>& inputs) {
    constexpr size_t kMaxRank = 8;
    if (node.op == "Cast") {
      const auto to = node.attributes.find("to");
      if (to == node.attributes.end()) return false;
      const auto type = static_cast<ElementType>(to->second.integer);
      if (type != ElementType::kFloat && type != ElementType::kDouble) return false;
    }
    return std::all_of(inputs.begin(), inputs.end(), [](const ValueRef& input) {
      return input == nullptr || (input->dims.size() <= kMaxRank && num_elems(input->dims) > 0);
    });
  }

  // Folds the node if possible, otherwise adds it to the graph.
  const OperatorEntry& choose(const NodeDef& node, const std::vector<ValueRef>& inputs) const {
    if (!node.domain.empty()) {
      const std::vector<OperatorEntry>* table = operators_of_domain(node.domain);
      if (table == nullptr) {
        fail(ErrorCode::kUnsupported, "operators of domain '{}' are not supported",
             printable(node.domain));
      }
      const OperatorEntry* entry = find_operator(*table, node.op);
      if (entry == nullptr) {
        fail(ErrorCode::kUnsupported, "the operator of domain '{}' is not supported",
             printable(node.domain));
      }
      return *entry;
    }
    const OperatorEntry* folded = find_operator(folded_operators(), node.op);
    const OperatorEntry* graph = find_operator(graph_operators(), node.op);
    if (folded == nullptr && graph == nullptr) {
      fail(ErrorCode::kUnsupported, "the operator is not supported");
    }
    const bool needs_shape_only =
        (node.op == "Shape" || node.op == "Size") && !inputs.empty() && !is_open(inputs[0]);
    const auto computed = std::find_if(inputs.begin(), inputs.end(), [&](const ValueRef& input) {
      return input != nullptr && !is_known(input);
    });
    const bool is_slow = graph != nullptr && is_same_in_graph(node, inputs) &&
                         std::any_of(inputs.begin(), inputs.end(),
                                     [&](const ValueRef& input) { return is_large(input); });
    if (folded != nullptr && (needs_shape_only || computed == inputs.end()) && !is_slow) {
      return *folded;
    }
    if (graph == nullptr) {
      fail(ErrorCode::kUnsupported, "supported on constants only, input '{}' is not a constant",
           printable((*computed)->name));
    }
    return *graph;
  }

  std::vector<Port> make_outputs() {
    std::vector<Port> ports;
    std::vector<graph::NodeId> nodes;
    if (model_.outputs.empty()) fail(ErrorCode::kCorrupt, "the model has no outputs");
    for (const ValueDef& output : model_.outputs) {
      with_context(fmt::format("output '{}'", printable(output.name)), [&] {
        const auto found = values_.find(output.name);
        if (found == values_.end()) fail(ErrorCode::kCorrupt, "no node computes it");
        const NodeDef as_node{output.name, "output", "", {output.name}, {}, {}};
        NodeContext context(as_node, 1, false, {found->second}, writer_);
        nodes.push_back(context.result_operand(0));
        note_declared(output, *found->second);
        ports.push_back({output.name, found->second->type, found->second->dims});
      });
    }
    writer_.graph().set_outputs(std::move(nodes));
    return ports;
  }

  // The declared shape of an output has no effect, and exporters write wrong ones. Of a model with
  // an open batch, which becomes 1, the first axis may differ. Sizes of a run are at most the
  // computed bound.
  void note_declared(const ValueDef& output, const Value& value) {
    if (!output.has_shape) return;
    const bool is_batch_open = std::ranges::any_of(
        model_.inputs, [](const ValueDef& input) { return batch_axis_by_name(input).has_value(); });
    bool matches = output.dims.size() == value.dims.size();
    for (size_t i = is_batch_open ? 1 : 0; matches && i < value.dims.size(); ++i) {
      const bool is_bound = writer_.node(value.node).type.is_open(i);
      matches = !output.dims[i] || output.dims[i] == value.dims[i] ||
                (is_bound && *output.dims[i] < value.dims[i]);
    }
    if (matches) return;
    std::vector<std::string> declared;
    for (const std::optional<int64_t>& dim : output.dims)
      declared.push_back(dim ? fmt::format("{}", *dim) : "?");
    notes_.push_back(fmt::format(
        "output '{}': the model declares shape [{}], its operators give [{}], which is used",
        printable(output.name), fmt::join(declared, ", "), fmt::join(value.dims, ", ")));
  }

  // Restores the model's order of inputs; the graph has them in the order of first use.
  std::vector<Port> number_inputs() {
    std::vector<Port> ports;
    for (const ValueDef& input : model_.inputs) {
      const auto found = inputs_.find(input.name);
      if (found == inputs_.end() || found->second->node < 0) continue;
      const Value& value = *found->second;
      writer_.graph().node(value.node).attrs.index = static_cast<int64_t>(ports.size());
      ports.push_back({input.name, value.type, value.dims});
    }
    return ports;
  }

  Model model_;
  const std::map<std::string, Array>& known_;
  int64_t opset_ = 0;
  bool is_quantized_ = false;
  std::vector<std::string> notes_;
  int num_open_calls_ = 0;
  int64_t num_nodes_ = 0;
  GraphWriter writer_;
  std::map<std::string, ValueRef> values_;
  std::map<std::string, ValueRef> inputs_;
  std::map<std::string, int64_t> uses_;
};

}  // namespace

size_t first_image_side(const ValueDef& input) {
  const auto is_color = [&](size_t axis) { return input.dims[axis] == 1 || input.dims[axis] == 3; };
  return is_color(3) && !is_color(1) ? 1 : 2;
}

Imported import_onnx(Model model, const std::map<std::string, Array>& known) {
  return Importer(std::move(model), known).run();
}

}  // namespace vta::onnx
