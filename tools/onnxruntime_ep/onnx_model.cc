// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/onnx_model.h"

#include <algorithm>
#include <string_view>

#include "base/errors/error.h"
#include "tools/onnxruntime_ep/protobuf_writer.h"

namespace vta::onnxruntime_ep {
namespace {

// Numbers of fields in onnx.proto.
namespace field {
enum Model : uint32_t { kIrVersion = 1, kGraph = 7, kOpset = 8 };
enum Opset : uint32_t { kOpsetDomain = 1, kOpsetVersion = 2 };
enum Graph : uint32_t { kNode = 1, kGraphName = 2, kInitializer = 5, kInput = 11, kOutput = 12 };
enum Node : uint32_t {
  kNodeInput = 1,
  kNodeOutput = 2,
  kNodeName = 3,
  kOperator = 4,
  kAttribute = 5,
  kDomain = 7
};
enum Attribute : uint32_t {
  kAttributeName = 1,
  kFloat = 2,
  kInt = 3,
  kText = 4,
  kTensor = 5,
  kFloats = 7,
  kInts = 8,
  kTexts = 9,
  kAttributeType = 20
};
enum Tensor : uint32_t { kDims = 1, kDataType = 2, kTensorName = 8, kRawData = 9 };
enum Value : uint32_t { kValueName = 1, kValueType = 2 };
enum Type : uint32_t { kTensorType = 1, kElementType = 1, kShape = 2, kDim = 1, kDimValue = 1 };
}  // namespace field

// AttributeProto.AttributeType.
enum AttributeType {
  kFloatType = 1,
  kIntType,
  kTextType,
  kTensorType,
  kFloatsType = 6,
  kIntsType,
  kTextsType
};

ProtobufWriter tensor_message(const std::string& name, const Ort::ConstValue& value) {
  const auto type = value.GetTensorTypeAndShapeInfo();
  if (type.GetElementType() == ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING)
    fail(ErrorCode::kUnsupported, "constant '{}' is a tensor of texts", name);
  ProtobufWriter tensor;
  for (const int64_t size : type.GetShape()) tensor.integer(field::kDims, size);
  tensor.integer(field::kDataType, type.GetElementType());
  tensor.text(field::kTensorName, name);
  tensor.text(field::kRawData,
              {static_cast<const char*>(value.GetTensorRawData()), value.GetTensorSizeInBytes()});
  return tensor;
}

// A constant of ones of the value's type and shape.
ProtobufWriter placeholder(const std::string& name, const Value& value) {
  if (value.type != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT)
    fail(ErrorCode::kUnsupported, "value '{}' depends on constants only and is not float32", name);
  ProtobufWriter tensor;
  size_t num_elems = 1;
  for (const int64_t size : value.dims) {
    tensor.integer(field::kDims, size);
    num_elems *= static_cast<size_t>(std::max<int64_t>(size, 0));
  }
  tensor.integer(field::kDataType, value.type);
  tensor.text(field::kTensorName, name);
  const std::vector<float> ones(num_elems, 1.0F);
  tensor.text(field::kRawData,
              {reinterpret_cast<const char*>(ones.data()), ones.size() * sizeof(float)});
  return tensor;
}

template <typename T>
T read(const Ort::ConstOpAttr& attribute) {
  T value{};
  Ort::ThrowOnError(attribute.GetValue(value));
  return value;
}

template <typename T>
std::vector<T> read_list(const Ort::ConstOpAttr& attribute) {
  std::vector<T> values;
  Ort::ThrowOnError(attribute.GetValueArray(values));
  return values;
}

ProtobufWriter attribute_message(const Ort::ConstOpAttr& attribute) {
  ProtobufWriter message;
  message.text(field::kAttributeName, attribute.GetName());
  const auto set_type = [&](AttributeType type) { message.integer(field::kAttributeType, type); };
  switch (attribute.GetType()) {
    case ORT_OP_ATTR_FLOAT:
      message.number(field::kFloat, read<float>(attribute));
      set_type(kFloatType);
      break;
    case ORT_OP_ATTR_INT:
      message.integer(field::kInt, read<int64_t>(attribute));
      set_type(kIntType);
      break;
    case ORT_OP_ATTR_STRING:
      message.text(field::kText, read<std::string>(attribute));
      set_type(kTextType);
      break;
    case ORT_OP_ATTR_FLOATS:
      for (const float value : read_list<float>(attribute)) message.number(field::kFloats, value);
      set_type(kFloatsType);
      break;
    case ORT_OP_ATTR_INTS:
      for (const int64_t value : read_list<int64_t>(attribute))
        message.integer(field::kInts, value);
      set_type(kIntsType);
      break;
    case ORT_OP_ATTR_STRINGS:
      for (const std::string& value : read_list<std::string>(attribute))
        message.text(field::kTexts, value);
      set_type(kTextsType);
      break;
    case ORT_OP_ATTR_TENSOR: {
      Ort::Value value{nullptr};
      Ort::ThrowOnError(attribute.GetTensorAttributeAsOrtValue(value));
      message.message(field::kTensor, tensor_message(attribute.GetName(), value.GetConst()));
      set_type(kTensorType);
      break;
    }
    default:
      fail(ErrorCode::kUnsupported, "attribute '{}' is not a number, a text or a tensor",
           attribute.GetName());
  }
  return message;
}

ProtobufWriter node_message(const Node& node) {
  if (node.has_subgraphs)
    fail(ErrorCode::kUnsupported, "node '{}' ({}) has subgraphs", node.name, node.op);
  ProtobufWriter message;
  for (const std::string& input : node.inputs) message.text(field::kNodeInput, input);
  for (const std::string& output : node.outputs) message.text(field::kNodeOutput, output);
  message.text(field::kNodeName, node.name);
  message.text(field::kOperator, node.op);
  for (const Ort::ConstOpAttr& attribute : node.node.GetAttributes())
    message.message(field::kAttribute, attribute_message(attribute));
  message.text(field::kDomain, node.domain);
  return message;
}

ProtobufWriter shape_message(const std::vector<int64_t>& dims, int64_t rows) {
  ProtobufWriter shape;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    ProtobufWriter dim;
    const int64_t size = axis == 0 && dims[axis] < 0 ? rows : dims[axis];
    if (size >= 0) dim.integer(field::kDimValue, size);
    shape.message(field::kDim, dim);
  }
  return shape;
}

ProtobufWriter value_message(const std::string& name, const Value& value, int64_t rows) {
  ProtobufWriter tensor, type, message;
  tensor.integer(field::kElementType, value.type);
  // ONNX Runtime does not tell an unknown shape from a scalar's.
  if (!value.dims.empty()) tensor.message(field::kShape, shape_message(value.dims, rows));
  type.message(field::kTensorType, tensor);
  message.text(field::kValueName, name);
  message.message(field::kValueType, type);
  return message;
}

// The constants that the nodes use.
std::set<std::string> constants_of(const Graph& graph, const ModelParts& parts) {
  std::set<std::string> names;
  for (const size_t index : parts.nodes) {
    for (const std::string& input : graph.nodes()[index].inputs)
      if (!input.empty() && graph.value(input).is_constant) names.insert(input);
  }
  return names;
}

ProtobufWriter graph_message(const Graph& graph, const ModelParts& parts) {
  ProtobufWriter message;
  for (const size_t index : parts.nodes)
    message.message(field::kNode, node_message(graph.nodes()[index]));
  message.text(field::kGraphName, "part");
  for (const std::string& name : constants_of(graph, parts)) {
    Ort::ConstValue value;
    Ort::ThrowOnError(graph.value(name).info.GetInitializer(value));
    message.message(field::kInitializer, tensor_message(name, value));
  }
  for (const std::string& name : parts.placeholders)
    message.message(field::kInitializer, placeholder(name, graph.value(name)));
  for (const std::string& name : parts.inputs)
    message.message(field::kInput, value_message(name, graph.value(name), parts.rows));
  for (const std::string& name : parts.outputs)
    message.message(field::kOutput, value_message(name, graph.value(name), parts.rows));
  return message;
}

}  // namespace

std::string onnx_model(const Graph& graph, const ModelParts& parts) {
  ProtobufWriter model;
  model.integer(field::kIrVersion, graph.ir_version());
  std::set<std::string> domains = {""};
  for (const size_t index : parts.nodes) domains.insert(graph.nodes()[index].domain);
  for (const auto& [domain, version] : graph.opsets()) {
    if (!domains.contains(domain)) continue;
    ProtobufWriter opset;
    opset.text(field::kOpsetDomain, domain);
    opset.integer(field::kOpsetVersion, version);
    model.message(field::kOpset, opset);
  }
  model.message(field::kGraph, graph_message(graph, parts));
  return model.bytes();
}

}  // namespace vta::onnxruntime_ep
