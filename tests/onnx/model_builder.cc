// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/model_builder.h"

#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace vta::onnx {
namespace {

namespace pb = ::onnx;

// The bits of a float16 or bfloat16, for values that are exact in it.
uint16_t half_bits(double value, ElementType type) {
  if (type == ElementType::kBfloat16) {
    return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16);
  }
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::abs(value);
  if (std::isinf(value)) return sign | 0x7c00;
  if (size < std::ldexp(1, -14)) return sign | static_cast<uint16_t>(std::ldexp(size, 24));
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);  // in [0.5, 1)
  const auto mantissa = static_cast<uint16_t>(std::ldexp(fraction, 11));
  return static_cast<uint16_t>(sign | ((exponent + 14) << 10) | (mantissa & 0x3ff));
}

uint64_t element_bits(double value, ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case ElementType::kDouble:
      return std::bit_cast<uint64_t>(value);
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      return half_bits(value, type);
    default:
      return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

std::string raw_bytes(const TensorSpec& tensor) {
  std::string bytes;
  const int num_bits = bits(tensor.type);
  for (size_t i = 0; i < tensor.values.size(); ++i) {
    const uint64_t element = element_bits(tensor.values[i], tensor.type);
    if (num_bits == 4) {
      const auto half = static_cast<uint8_t>(element & 0xf);
      if (i % 2 == 0) {
        bytes.push_back(static_cast<char>(half));
      } else {
        bytes.back() = static_cast<char>(static_cast<uint8_t>(bytes.back()) | (half << 4));
      }
      continue;
    }
    bytes.append(reinterpret_cast<const char*>(&element), static_cast<size_t>(num_bits / 8));
  }
  return bytes;
}

void fill_typed(const TensorSpec& tensor, pb::TensorProto& proto) {
  for (double value : tensor.values) {
    switch (tensor.type) {
      case ElementType::kFloat:
        proto.add_float_data(static_cast<float>(value));
        break;
      case ElementType::kDouble:
        proto.add_double_data(value);
        break;
      case ElementType::kInt64:
        proto.add_int64_data(static_cast<int64_t>(value));
        break;
      case ElementType::kUint32:
      case ElementType::kUint64:
        proto.add_uint64_data(static_cast<uint64_t>(value));
        break;
      case ElementType::kFloat16:
      case ElementType::kBfloat16:
        proto.add_int32_data(half_bits(value, tensor.type));
        break;
      default:
        proto.add_int32_data(static_cast<int32_t>(value));
    }
  }
}

void add_entry(pb::TensorProto& proto, const char* key, const std::string& value) {
  if (value.empty()) return;
  pb::StringStringEntryProto* entry = proto.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

void fill(const TensorSpec& tensor, pb::TensorProto& proto) {
  proto.set_name(tensor.name);
  proto.set_data_type(static_cast<int32_t>(tensor.type));
  for (int64_t dim : tensor.dims) proto.add_dims(dim);
  if (tensor.storage == TensorSpec::Storage::kRaw) {
    proto.set_raw_data(raw_bytes(tensor));
  } else if (tensor.storage == TensorSpec::Storage::kTyped) {
    fill_typed(tensor, proto);
  } else {
    proto.set_data_location(pb::TensorProto::EXTERNAL);
    add_entry(proto, "location", tensor.location);
    add_entry(proto, "offset", tensor.offset);
    add_entry(proto, "length", tensor.length);
  }
}

void fill(const AttributeValue& value, pb::AttributeProto& proto) {
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    proto.set_type(pb::AttributeProto::INT);
    proto.set_i(*integer);
  } else if (const auto* number = std::get_if<float>(&value)) {
    proto.set_type(pb::AttributeProto::FLOAT);
    proto.set_f(*number);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    proto.set_type(pb::AttributeProto::STRING);
    proto.set_s(*text);
  } else if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) {
    proto.set_type(pb::AttributeProto::INTS);
    for (int64_t element : *list) proto.add_ints(element);
  } else if (const auto* floats = std::get_if<std::vector<float>>(&value)) {
    proto.set_type(pb::AttributeProto::FLOATS);
    for (float element : *floats) proto.add_floats(element);
  } else if (const auto* reference = std::get_if<Reference>(&value)) {
    proto.set_ref_attr_name(reference->name);
  } else {
    const auto& bytes = std::get<std::vector<uint8_t>>(value);
    pb::ModelProto model;
    model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
    proto.set_type(pb::AttributeProto::GRAPH);
    *proto.mutable_g() = model.graph();
  }
}

void declare(pb::ValueInfoProto& value, const std::string& name, const std::vector<int64_t>& dims,
             ElementType type) {
  value.set_name(name);
  pb::TypeProto::Tensor* tensor = value.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(static_cast<int32_t>(type));
  tensor->mutable_shape();
  for (int64_t dim : dims) {
    pb::TensorShapeProto::Dimension* dimension = tensor->mutable_shape()->add_dim();
    if (dim < 0) {
      dimension->set_dim_param("N");
    } else {
      dimension->set_dim_value(dim);
    }
  }
}

template <typename Message>
std::vector<uint8_t> serialized(const Message& message) {
  const std::string text = message.SerializeAsString();
  return {text.begin(), text.end()};
}

}  // namespace

struct ModelBuilder::State {
  pb::ModelProto model;
};

ModelBuilder::ModelBuilder(int64_t opset) : state_(std::make_unique<State>()) {
  state_->model.set_ir_version(8);
  state_->model.add_opset_import()->set_version(opset);
  state_->model.mutable_graph()->set_name("test");
}

ModelBuilder::~ModelBuilder() = default;

ModelBuilder& ModelBuilder::opset(const std::string& domain, int64_t version) {
  pb::OperatorSetIdProto& opset = *state_->model.add_opset_import();
  opset.set_domain(domain);
  opset.set_version(version);
  return *this;
}

ModelBuilder& ModelBuilder::input(const std::string& name, const std::vector<int64_t>& dims,
                                  ElementType type) {
  declare(*state_->model.mutable_graph()->add_input(), name, dims, type);
  return *this;
}

ModelBuilder& ModelBuilder::axis_name(const std::string& input, int axis, const std::string& name) {
  for (pb::ValueInfoProto& value : *state_->model.mutable_graph()->mutable_input()) {
    if (value.name() != input) continue;
    auto* shape = value.mutable_type()->mutable_tensor_type()->mutable_shape();
    shape->mutable_dim(axis)->Clear();
    if (!name.empty()) shape->mutable_dim(axis)->set_dim_param(name);
  }
  return *this;
}

ModelBuilder& ModelBuilder::output(const std::string& name, const std::vector<int64_t>& dims) {
  declare(*state_->model.mutable_graph()->add_output(), name, dims, ElementType::kFloat);
  return *this;
}

ModelBuilder& ModelBuilder::output(const std::string& name) {
  state_->model.mutable_graph()->add_output()->set_name(name);
  return *this;
}

ModelBuilder& ModelBuilder::node(const std::string& op, const Names& inputs, const Names& outputs,
                                 const Attributes& attributes, const std::string& domain) {
  pb::NodeProto* node = state_->model.mutable_graph()->add_node();
  node->set_op_type(op);
  node->set_domain(domain);
  for (const std::string& name : inputs) node->add_input(name);
  for (const std::string& name : outputs) node->add_output(name);
  for (const auto& [name, value] : attributes) {
    pb::AttributeProto* attribute = node->add_attribute();
    attribute->set_name(name);
    fill(value, *attribute);
  }
  return *this;
}

ModelBuilder& ModelBuilder::function(const std::string& domain, const std::string& name,
                                     const ModelBuilder& body, const Attributes& defaults) {
  pb::FunctionProto* function = state_->model.add_functions();
  const pb::GraphProto& graph = body.state_->model.graph();
  function->set_domain(domain);
  function->set_name(name);
  *function->mutable_opset_import() = body.state_->model.opset_import();
  *function->mutable_node() = graph.node();
  for (const pb::ValueInfoProto& input : graph.input()) function->add_input(input.name());
  for (const pb::ValueInfoProto& output : graph.output()) function->add_output(output.name());
  constexpr int kAttributeProto = 11;  // not in the classes of ONNX 1.12
  for (const auto& [attribute_name, value] : defaults) {
    pb::AttributeProto attribute;
    attribute.set_name(attribute_name);
    fill(value, attribute);
    function->GetReflection()->MutableUnknownFields(function)->AddLengthDelimited(
        kAttributeProto, attribute.SerializeAsString());
  }
  return *this;
}

ModelBuilder& ModelBuilder::constant(const TensorSpec& tensor) {
  fill(tensor, *state_->model.mutable_graph()->add_initializer());
  return *this;
}

ModelBuilder& ModelBuilder::floats(const std::string& name, const std::vector<int64_t>& dims,
                                   const std::vector<double>& values) {
  return constant({name, ElementType::kFloat, dims, values});
}

ModelBuilder& ModelBuilder::integers(const std::string& name, const std::vector<double>& values) {
  return constant({name, ElementType::kInt64, {static_cast<int64_t>(values.size())}, values});
}

std::vector<uint8_t> ModelBuilder::bytes() const { return serialized(state_->model); }

std::vector<uint8_t> tensor_bytes(const TensorSpec& tensor) {
  pb::TensorProto proto;
  fill(tensor, proto);
  return serialized(proto);
}

}  // namespace vta::onnx
