// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/model_mutator.h"

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "base/numbers/random.h"
#include "compiler/onnx/operator_table.h"

namespace vta::fuzz {
namespace {

namespace pb = ::onnx;

constexpr int kMaxChanges = 4;
constexpr int kMaxRank = 5;
constexpr int64_t kMaxElems = 4096;  // of a constant, so that models stay small
const std::string kOmitted;

// Numbers at which the importer's conditions change: small axes and sizes, and the limits of types.
constexpr std::array<int64_t, 18> kIntegers = {0,
                                               1,
                                               2,
                                               3,
                                               4,
                                               5,
                                               7,
                                               8,
                                               16,
                                               64,
                                               -1,
                                               -2,
                                               -3,
                                               1 << 16,
                                               1 << 28,
                                               int64_t{1} << 31,
                                               std::numeric_limits<int64_t>::max(),
                                               std::numeric_limits<int64_t>::min()};
constexpr std::array<float, 10> kNumbers = {0,
                                            1,
                                            -1,
                                            0.5f,
                                            2,
                                            1e-5f,
                                            1e30f,
                                            std::numeric_limits<float>::infinity(),
                                            -std::numeric_limits<float>::infinity(),
                                            std::numeric_limits<float>::quiet_NaN()};
constexpr std::array kTexts = {"NOTSET",
                               "SAME_UPPER",
                               "SAME_LOWER",
                               "VALID",
                               "constant",
                               "reflect",
                               "edge",
                               "wrap",
                               "nearest",
                               "linear",
                               "cubic",
                               "bilinear",
                               "bicubic",
                               "half_pixel",
                               "asymmetric",
                               "align_corners",
                               "pytorch_half_pixel",
                               "tf_crop_and_resize",
                               "round_prefer_floor",
                               "ceil",
                               "zeros",
                               "border",
                               "reflection",
                               "add",
                               "mul",
                               "max",
                               "min",
                               "none",
                               "mean",
                               "sum",
                               "avg",
                               "forward",
                               "reverse",
                               "bidirectional",
                               "LEFT",
                               "RIGHT",
                               "DCR",
                               "CRD",
                               "tanh",
                               "not_larger",
                               "ij,jk->ik",
                               "bij,bkj->bik",
                               "i,i->",
                               "...ij->...ji",
                               "output_half_pixel",
                               ""};
constexpr std::array kAttributes = {"axis",
                                    "axes",
                                    "keepdims",
                                    "mode",
                                    "pads",
                                    "strides",
                                    "dilations",
                                    "kernel_shape",
                                    "group",
                                    "auto_pad",
                                    "alpha",
                                    "beta",
                                    "ceil_mode",
                                    "count_include_pad",
                                    "perm",
                                    "to",
                                    "value",
                                    "epsilon",
                                    "blocksize",
                                    "largest",
                                    "sorted",
                                    "batch_dims",
                                    "reduction",
                                    "output_shape",
                                    "output_padding",
                                    "storage_order",
                                    "hidden_size",
                                    "direction",
                                    "layout",
                                    "transA",
                                    "transB",
                                    "equation",
                                    "split",
                                    "num_outputs",
                                    "starts",
                                    "ends",
                                    "upper",
                                    "exclusive",
                                    "reverse",
                                    "allowzero",
                                    "align_corners",
                                    "num_heads",
                                    "q_num_heads",
                                    "kv_num_heads",
                                    "is_causal",
                                    "interleaved",
                                    "rotary_embedding_dim",
                                    "noop_with_empty_axes",
                                    "select_last_index",
                                    "center_point_box",
                                    "num_groups",
                                    "stash_type",
                                    "approximate",
                                    "fmod",
                                    "size",
                                    "bias",
                                    "p",
                                    "coordinate_transformation_mode",
                                    "nearest_mode",
                                    "sampling_ratio",
                                    "output_height",
                                    "output_width",
                                    "spatial_scale",
                                    "num_scan_inputs",
                                    "scan_input_axes",
                                    "scan_output_axes",
                                    "scan_input_directions",
                                    "linear_before_reset",
                                    "channels_last",
                                    "antialias",
                                    "keep_aspect_ratio_policy",
                                    "output_dtype",
                                    "block_size",
                                    "saturate",
                                    "start",
                                    "end",
                                    "k",
                                    "dtype"};

class Mutator {
 public:
  Mutator(pb::ModelProto& model, uint64_t seed) : random_(seed) {
    collect(*model.mutable_graph());
    for (auto& opset : *model.mutable_opset_import()) opsets_.push_back(&opset);
  }

  void change() {
    graph_ = graphs_[below(graphs_.size())];
    switch (random_.between(0, 13)) {
      case 0:
      case 1:
        return change_operator();
      case 2:
      case 3:
      case 4:
        return change_attribute();
      case 5:
        return change_input();
      case 6:
        return append_node();
      case 7:
        return change_output();
      case 8:
        return change_opset();
      case 9:
      case 10:
        return change_shape();
      case 11:
        return remove_node();
      default:
        return change_constant();
    }
  }

  // Connects about half of the inputs that the joined graph had.
  void connect(const std::string& prefix) {
    graph_ = graphs_.front();
    for (pb::NodeProto& node : *graph_->mutable_node()) {
      for (std::string& input : *node.mutable_input()) {
        if (input.starts_with(prefix) && is_graph_input(input) && random_.chance(50))
          input = any_value(&node);
      }
    }
  }

 private:
  void collect(pb::GraphProto& graph) {
    graphs_.push_back(&graph);
    for (pb::NodeProto& node : *graph.mutable_node()) {
      for (pb::AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) collect(*attribute.mutable_g());
      }
    }
  }

  size_t below(size_t size) {
    return static_cast<size_t>(random_.between(0, static_cast<int64_t>(size) - 1));
  }
  template <typename Values>
  const auto& any_of(const Values& values) {
    return values[below(values.size())];
  }
  template <typename Field>
  auto* any_element(Field* field) {
    return field->empty() ? nullptr : field->Mutable(static_cast<int>(below(field->size())));
  }
  pb::NodeProto* any_node() { return any_element(graph_->mutable_node()); }

  int64_t any_integer(int64_t old) {
    return random_.chance(50)
               ? any_of(kIntegers)
               : static_cast<int64_t>(static_cast<uint64_t>(old) + random_.next() % 5 - 2);
  }

  bool is_graph_input(const std::string& name) const {
    return std::any_of(graph_->input().begin(), graph_->input().end(),
                       [&](const pb::ValueInfoProto& input) { return input.name() == name; });
  }

  // A value of the graph that exists before `user` (null: any), or "" for an omitted one.
  std::string any_value(const pb::NodeProto* user = nullptr) {
    std::vector<const std::string*> names = {&kOmitted};
    for (const auto& input : graph_->input()) names.push_back(&input.name());
    for (const auto& tensor : graph_->initializer()) names.push_back(&tensor.name());
    for (const auto& node : graph_->node()) {
      if (&node == user) break;
      for (const std::string& output : node.output()) names.push_back(&output);
    }
    return *any_of(names);
  }

  void set_operator(pb::NodeProto& node) {
    using onnx::OperatorEntry;
    const int64_t which = random_.between(0, 9);
    const std::vector<OperatorEntry>& table = which == 0   ? onnx::contrib_operators()
                                              : which == 1 ? onnx::folded_operators()
                                              : which == 2 ? onnx::qonnx_operators()
                                                           : onnx::graph_operators();
    node.set_op_type(any_of(table).name);
    node.set_domain(which == 0 ? onnx::kContribDomain : which == 2 ? onnx::kQonnxDomains[0] : "");
  }

  void change_operator() {
    if (pb::NodeProto* node = any_node()) set_operator(*node);
  }

  void change_input() {
    pb::NodeProto* node = any_node();
    if (node == nullptr) return;
    if (node->input_size() == 0 || random_.chance(25)) {
      node->add_input(any_value(node));
    } else if (random_.chance(20)) {
      node->mutable_input()->RemoveLast();
    } else if (random_.chance(20)) {
      node->mutable_input()->SwapElements(0, static_cast<int>(below(node->input_size())));
    } else {
      *any_element(node->mutable_input()) = any_value(node);
    }
  }

  void append_node() {
    const std::string result = "n" + std::to_string(random_.next() % 1000000);
    std::vector<std::string> inputs;
    const pb::NodeProto* old = any_node();
    const bool copies = old != nullptr && random_.chance(50);
    pb::NodeProto node = copies ? *old : pb::NodeProto();
    if (!copies) {
      set_operator(node);
      for (int64_t i = random_.between(1, 3); i > 0; --i) node.add_input(any_value());
    } else if (node.input_size() > 0) {
      node.set_input(0, any_value());
    }
    node.clear_output();
    node.add_output(result);
    *graph_->add_node() = node;
    graph_->add_output()->set_name(result);
  }

  // A node whose users take its input instead.
  void remove_node() {
    if (graph_->node_size() < 2) return;
    const int index = static_cast<int>(below(graph_->node_size()));
    const pb::NodeProto node = graph_->node(index);
    graph_->mutable_node()->DeleteSubrange(index, 1);
    if (node.input_size() == 0 || node.output_size() == 0) return;
    for (pb::NodeProto& user : *graph_->mutable_node()) {
      std::replace(user.mutable_input()->begin(), user.mutable_input()->end(), node.output(0),
                   node.input(0));
    }
    for (pb::ValueInfoProto& output : *graph_->mutable_output()) {
      if (output.name() == node.output(0)) output.set_name(node.input(0));
    }
  }

  void change_output() {
    const std::string value = any_value();
    if (value.empty()) return;
    if (pb::ValueInfoProto* output = any_element(graph_->mutable_output());
        output != nullptr && random_.chance(50)) {
      output->set_name(value);
    } else {
      graph_->add_output()->set_name(value);
    }
  }

  void change_opset() {
    if (!opsets_.empty()) any_of(opsets_)->set_version(random_.between(6, onnx::kLastOpset + 1));
  }

  void add_attribute(pb::NodeProto& node) {
    pb::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(any_of(kAttributes));
    switch (random_.between(0, 4)) {
      case 0:
        attribute.set_type(pb::AttributeProto::FLOAT);
        return attribute.set_f(any_of(kNumbers));
      case 1:
        attribute.set_type(pb::AttributeProto::STRING);
        return attribute.set_s(any_of(kTexts));
      case 2:
        attribute.set_type(pb::AttributeProto::INTS);
        for (int64_t i = random_.between(1, 4); i > 0; --i) attribute.add_ints(any_integer(1));
        return;
      default:
        attribute.set_type(pb::AttributeProto::INT);
        return attribute.set_i(any_integer(1));
    }
  }

  void change_list(google::protobuf::RepeatedField<int64_t>& list) {
    if (list.empty() || random_.chance(20)) {
      list.Add(any_integer(1));
    } else if (random_.chance(20)) {
      list.RemoveLast();
    } else {
      int64_t& element = *any_element(&list);
      element = any_integer(element);
    }
  }

  void change_attribute() {
    pb::NodeProto* node = any_node();
    if (node == nullptr) return;
    pb::AttributeProto* attribute = any_element(node->mutable_attribute());
    if (attribute == nullptr || random_.chance(20)) return add_attribute(*node);
    if (random_.chance(10)) {
      attribute->Swap(node->mutable_attribute(node->attribute_size() - 1));
      return node->mutable_attribute()->RemoveLast();
    }
    switch (attribute->type()) {
      case pb::AttributeProto::FLOAT:
        return attribute->set_f(any_of(kNumbers));
      case pb::AttributeProto::INT:
        return attribute->set_i(any_integer(attribute->i()));
      case pb::AttributeProto::STRING:
        return attribute->set_s(any_of(kTexts));
      case pb::AttributeProto::INTS:
        return change_list(*attribute->mutable_ints());
      case pb::AttributeProto::FLOATS:
        return attribute->add_floats(any_of(kNumbers));
      case pb::AttributeProto::TENSOR:
        return change_tensor(*attribute->mutable_t());
      default:
        return attribute->set_name(any_of(kAttributes));
    }
  }

  void change_shape() {
    pb::ValueInfoProto* input = any_element(graph_->mutable_input());
    if (input == nullptr) return;
    pb::TypeProto::Tensor& type = *input->mutable_type()->mutable_tensor_type();
    if (random_.chance(30)) return type.set_elem_type(static_cast<int32_t>(random_.between(1, 23)));
    pb::TensorShapeProto& shape = *type.mutable_shape();
    pb::TensorShapeProto::Dimension* dim = any_element(shape.mutable_dim());
    if (dim == nullptr || (random_.chance(20) && shape.dim_size() < kMaxRank)) {
      shape.add_dim()->set_dim_value(random_.between(1, 4));
    } else if (random_.chance(20)) {
      shape.mutable_dim()->RemoveLast();
    } else if (random_.chance(10)) {
      dim->set_dim_param("n");
    } else {
      dim->set_dim_value(any_integer(dim->dim_value()));
    }
  }

  void change_constant() {
    if (pb::TensorProto* tensor = any_element(graph_->mutable_initializer()))
      return change_tensor(*tensor);
    if (pb::ValueInfoProto* input = any_element(graph_->mutable_input()))
      add_constant(input->name());
  }

  // A constant in place of an input.
  void add_constant(const std::string& name) {
    pb::TensorProto& tensor = *graph_->add_initializer();
    tensor.set_name(name);
    const bool is_index = random_.chance(60);
    tensor.set_data_type(is_index ? pb::TensorProto::INT64 : pb::TensorProto::FLOAT);
    const int64_t size = random_.between(0, 4);
    if (size > 0) tensor.add_dims(size);
    for (int64_t i = 0; i < std::max<int64_t>(size, 1); ++i) {
      if (is_index) tensor.add_int64_data(any_integer(1));
      if (!is_index) tensor.add_float_data(any_of(kNumbers));
    }
  }

  void change_tensor(pb::TensorProto& tensor) {
    if (random_.chance(15))
      return tensor.set_data_type(static_cast<int32_t>(random_.between(1, 23)));
    if (random_.chance(30)) return change_dims(tensor);
    if (tensor.int64_data_size() > 0) {
      int64_t& element = *any_element(tensor.mutable_int64_data());
      element = any_integer(element);
    } else if (tensor.int32_data_size() > 0) {
      *any_element(tensor.mutable_int32_data()) = static_cast<int32_t>(any_integer(1));
    } else if (tensor.float_data_size() > 0) {
      *any_element(tensor.mutable_float_data()) = any_of(kNumbers);
    } else if (!tensor.raw_data().empty()) {
      change_raw(tensor);
    }
  }

  void change_raw(pb::TensorProto& tensor) {
    std::string& bytes = *tensor.mutable_raw_data();
    if (tensor.data_type() != pb::TensorProto::INT64 || bytes.size() < 8) {
      bytes[below(bytes.size())] = static_cast<char>(random_.next());
      return;
    }
    const int64_t element = any_integer(1);
    const size_t offset = below(bytes.size() / 8) * 8;
    std::copy_n(reinterpret_cast<const char*>(&element), 8,
                bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  }

  // The numbers follow: raw data are repeated or cut.
  void change_dims(pb::TensorProto& tensor) {
    const size_t old_bytes = tensor.raw_data().size();
    const int64_t old_size = elems(tensor);
    change_list(*tensor.mutable_dims());
    const int64_t size = elems(tensor);
    if (old_bytes == 0 || old_size <= 0 || size <= 0 || size > kMaxElems) return;
    const std::string old = tensor.raw_data();
    std::string bytes;
    while (bytes.size() < old_bytes / static_cast<size_t>(old_size) * static_cast<size_t>(size))
      bytes += old;
    bytes.resize(old_bytes / static_cast<size_t>(old_size) * static_cast<size_t>(size));
    tensor.set_raw_data(bytes);
  }

  // 0: none or too many.
  static int64_t elems(const pb::TensorProto& tensor) {
    int64_t size = 1;
    for (int64_t dim : tensor.dims()) {
      if (dim <= 0 || dim > kMaxElems || size > kMaxElems) return 0;
      size *= dim;
    }
    return size;
  }

  Random random_;
  std::vector<pb::GraphProto*> graphs_;  // the model's, then those of attributes
  std::vector<pb::OperatorSetIdProto*> opsets_;
  pb::GraphProto* graph_ = nullptr;
};

// The messages of one mutation. In an arena, because the sanitizer's allocations take longer than
// the mutation, and there is one for each field of a model.
class Messages {
 public:
  // Null if the bytes are not a model.
  pb::ModelProto* parse(std::span<const uint8_t> bytes) {
    auto* model = google::protobuf::Arena::CreateMessage<pb::ModelProto>(&arena_);
    const bool is_model = model->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
    return is_model && model->has_graph() ? model : nullptr;
  }

 private:
  google::protobuf::Arena arena_;
};

void rename_values(pb::GraphProto& graph, const std::string& prefix) {
  const auto rename = [&](std::string* name) {
    if (!name->empty()) *name = prefix + *name;
  };
  for (auto& input : *graph.mutable_input()) rename(input.mutable_name());
  for (auto& output : *graph.mutable_output()) rename(output.mutable_name());
  for (auto& tensor : *graph.mutable_initializer()) rename(tensor.mutable_name());
  for (auto& node : *graph.mutable_node()) {
    for (std::string& name : *node.mutable_input()) rename(&name);
    for (std::string& name : *node.mutable_output()) rename(&name);
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) rename_values(*attribute.mutable_g(), prefix);
    }
  }
}

}  // namespace

std::string mutate_model(std::span<const uint8_t> bytes, uint64_t seed) {
  Messages messages;
  pb::ModelProto* model = messages.parse(bytes);
  if (model == nullptr) return "";
  Random random(seed);
  for (int64_t i = random.between(1, kMaxChanges); i > 0; --i)
    Mutator(*model, random.next()).change();
  return model->SerializeAsString();
}

std::string join_models(std::span<const uint8_t> first, std::span<const uint8_t> second,
                        uint64_t seed) {
  Messages messages;
  pb::ModelProto *model = messages.parse(first), *other = messages.parse(second);
  if (model == nullptr || other == nullptr) return "";
  const std::string prefix = "j" + std::to_string(seed % 100000);
  rename_values(*other->mutable_graph(), prefix);
  pb::GraphProto& graph = *model->mutable_graph();
  graph.mutable_node()->MergeFrom(other->graph().node());
  graph.mutable_initializer()->MergeFrom(other->graph().initializer());
  graph.mutable_input()->MergeFrom(other->graph().input());
  graph.mutable_output()->MergeFrom(other->graph().output());
  Mutator(*model, seed).connect(prefix);
  return model->SerializeAsString();
}

}  // namespace vta::fuzz
