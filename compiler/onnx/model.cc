// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/model.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <climits>
#include <limits>
#include <new>
#include <set>

#include "base/errors/counted.h"
#include "base/errors/printable.h"
#include "base/files/file.h"
#include "compiler/onnx/external_data.h"
#include "compiler/onnx/raw_elements.h"

namespace vta::onnx {
namespace {

namespace fs = std::filesystem;
namespace pb = ::onnx;

constexpr int kMaxRank = 16;
constexpr int kMaxNodes = 1 << 16;
constexpr size_t kMaxNameBytes = 1000;  // of an input or output; an array of an .npz has 1024
constexpr const char* kDefaultDomain = "ai.onnx";

std::string domain_name(const std::string& domain) {
  return domain == kDefaultDomain ? "" : domain;
}

template <typename Field>
std::vector<std::string> texts(const Field& field) {
  return {field.begin(), field.end()};
}

// The integers of a TensorProto without raw_data; onnx.proto lists the field for each type.
std::vector<int64_t> typed_integers(const pb::TensorProto& proto, ElementType type) {
  switch (type) {
    case ElementType::kInt64:
      return {proto.int64_data().begin(), proto.int64_data().end()};
    case ElementType::kUint32:
    case ElementType::kUint64: {
      std::vector<int64_t> values;
      for (uint64_t value : proto.uint64_data()) {
        if (value > static_cast<uint64_t>(highest(type))) {
          fail(ErrorCode::kUnsupported, "value {} is above {}", value, highest(type));
        }
        values.push_back(static_cast<int64_t>(value));
      }
      return values;
    }
    default:
      return {proto.int32_data().begin(), proto.int32_data().end()};
  }
}

void read_typed_floats(const pb::TensorProto& proto, Array& array) {
  if (array.type == ElementType::kFloat) {
    array.floats = {proto.float_data().begin(), proto.float_data().end()};
  } else if (array.type == ElementType::kDouble) {
    for (double value : proto.double_data()) array.floats.push_back(static_cast<float>(value));
  } else {
    for (int32_t value : proto.int32_data()) {
      array.floats.push_back(float_of_half_bits(static_cast<uint16_t>(value), array.type));
    }
  }
}

// The elements of a typed field: one per value, or two per value for 4-bit types.
void read_typed(const pb::TensorProto& proto, Array& array) {
  if (array.is_float()) return read_typed_floats(proto, array);
  array.ints = typed_integers(proto, array.type);
  if (bits(array.type) == 4) {
    std::vector<uint8_t> bytes;
    for (int64_t value : array.ints) bytes.push_back(static_cast<uint8_t>(value));
    array.ints.clear();
    decode_raw(bytes, num_elems(array.dims), array);
    return;
  }
  for (int64_t value : array.ints) {
    if (value < lowest(array.type) || value > highest(array.type)) {
      fail(ErrorCode::kCorrupt, "value {} is outside {} to {}", value, lowest(array.type),
           highest(array.type));
    }
  }
}

std::string external_bytes(const pb::TensorProto& proto, uint64_t num_bytes,
                           const std::optional<fs::path>& folder) {
  ExternalData data;
  data.num_bytes = num_bytes;
  for (const pb::StringStringEntryProto& entry : proto.external_data()) {
    if (entry.key() == "location") data.location = entry.value();
    if (entry.key() == "offset") data.offset_text = entry.value();
    if (entry.key() == "length") data.length_text = entry.value();
  }
  return read_external_data(data, folder);
}

void read_elements(pb::TensorProto& proto, const std::optional<fs::path>& folder, Array& array) {
  const int64_t count = num_elems(array.dims);
  const uint64_t num_bytes = (static_cast<uint64_t>(count) * bits(array.type) + 7) / 8;
  if (proto.data_location() == pb::TensorProto::EXTERNAL) {
    const std::string bytes = external_bytes(proto, num_bytes, folder);
    decode_raw({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, count, array);
  } else if (proto.has_raw_data()) {
    const std::string& bytes = proto.raw_data();
    if (bytes.size() != num_bytes) {
      fail(ErrorCode::kCorrupt, "raw_data has {}, {} has {}", counted(bytes.size(), "byte"),
           to_string(array), num_bytes);
    }
    decode_raw({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, count, array);
    // Free the file's copy now: the peak is one network and one tensor, not two networks.
    std::string().swap(*proto.mutable_raw_data());
  } else {
    read_typed(proto, array);
  }
  if (array.size() != count) {
    fail(ErrorCode::kCorrupt, "{} stored, {} has {}", counted(array.size(), "element"),
         to_string(array), count);
  }
}

Array read_tensor(pb::TensorProto& proto, const std::optional<fs::path>& folder) {
  return with_context(fmt::format("tensor '{}'", printable(proto.name())), [&] {
    Array array;
    array.type = static_cast<ElementType>(proto.data_type());
    if (!is_readable(array.type)) {
      fail(ErrorCode::kUnsupported, "element type {} is not supported", to_string(array.type));
    }
    if (proto.has_segment()) fail(ErrorCode::kUnsupported, "tensors in segments are not supported");
    if (proto.dims_size() > kMaxRank) {
      fail(ErrorCode::kUnsupported, "{} dimensions, at most {} are supported", proto.dims_size(),
           kMaxRank);
    }
    array.dims = {proto.dims().begin(), proto.dims().end()};
    read_elements(proto, folder, array);
    return array;
  });
}

void read_graph(pb::GraphProto& graph, const std::optional<fs::path>& folder, Model& model);

Attribute read_attribute(pb::AttributeProto& proto, const std::optional<fs::path>& folder) {
  using Kind = Attribute::Kind;
  Attribute attribute;
  attribute.reference = proto.ref_attr_name();
  switch (proto.type()) {
    case pb::AttributeProto::FLOAT:
      attribute.kind = Kind::kFloat;
      attribute.number = proto.f();
      break;
    case pb::AttributeProto::INT:
      attribute.kind = Kind::kInt;
      attribute.integer = proto.i();
      break;
    case pb::AttributeProto::STRING:
      attribute.kind = Kind::kText;
      attribute.text = proto.s();
      break;
    case pb::AttributeProto::TENSOR:
      attribute.kind = Kind::kTensor;
      attribute.tensor = read_tensor(*proto.mutable_t(), folder);
      break;
    case pb::AttributeProto::FLOATS:
      attribute.kind = Kind::kFloats;
      attribute.numbers = {proto.floats().begin(), proto.floats().end()};
      break;
    case pb::AttributeProto::INTS:
      attribute.kind = Kind::kInts;
      attribute.integers = {proto.ints().begin(), proto.ints().end()};
      break;
    case pb::AttributeProto::STRINGS:
      attribute.kind = Kind::kTexts;
      attribute.texts = texts(proto.strings());
      break;
    case pb::AttributeProto::GRAPH: {
      attribute.kind = Kind::kGraph;
      auto graph = std::make_shared<Model>();
      read_graph(*proto.mutable_g(), folder, *graph);
      attribute.graph = std::move(graph);
      break;
    }
    default:
      break;
  }
  return attribute;
}

NodeDef read_node(pb::NodeProto& proto, const std::optional<fs::path>& folder) {
  NodeDef node;
  node.name = proto.name();
  node.op = proto.op_type();
  node.domain = domain_name(proto.domain());
  node.inputs = texts(proto.input());
  node.outputs = texts(proto.output());
  const std::string what =
      fmt::format("node '{}' ({})", printable(proto.name()), printable(proto.op_type()));
  for (pb::AttributeProto& attribute : *proto.mutable_attribute()) {
    const std::string context =
        fmt::format("{}: attribute '{}'", what, printable(attribute.name()));
    with_context(context, [&] {
      const bool is_new =
          node.attributes.emplace(attribute.name(), read_attribute(attribute, folder)).second;
      if (!is_new) fail(ErrorCode::kCorrupt, "duplicate attribute");
    });
  }
  return node;
}

// Attributes with defaults. The classes of ONNX 1.12 (Debian 12) do not know them.
template <typename FunctionProto>
std::vector<pb::AttributeProto> default_attributes(const FunctionProto& proto) {
  std::vector<pb::AttributeProto> attributes;
  if constexpr (requires { proto.attribute_proto(); }) {
    attributes.assign(proto.attribute_proto().begin(), proto.attribute_proto().end());
  } else {
    constexpr int kAttributeProto = 11;
    const auto& unknown = proto.GetReflection()->GetUnknownFields(proto);
    for (int i = 0; i < unknown.field_count(); ++i) {
      const auto& field = unknown.field(i);
      if (field.number() != kAttributeProto ||
          field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) {
        continue;
      }
      if (!attributes.emplace_back().ParseFromString(field.length_delimited()))
        fail(ErrorCode::kCorrupt, "an attribute's default is damaged");
    }
  }
  return attributes;
}

// The operator sets of a model or a function, by domain: "" is also "ai.onnx".
template <typename Proto>
std::map<std::string, int64_t> read_opsets(const Proto& proto) {
  std::map<std::string, int64_t> opsets;
  for (const pb::OperatorSetIdProto& opset : proto.opset_import()) {
    const std::string domain = domain_name(opset.domain());
    const auto [first, is_new] = opsets.emplace(domain, opset.version());
    if (is_new || first->second == opset.version()) continue;
    fail(ErrorCode::kCorrupt, "opsets {} and {} of domain '{}'; the model must name one",
         first->second, opset.version(), domain.empty() ? "ai.onnx" : printable(domain));
  }
  return opsets;
}

Function read_function(pb::FunctionProto& proto, const std::optional<fs::path>& folder) {
  if (proto.node_size() > kMaxNodes) {
    fail(ErrorCode::kUnsupported, "{} nodes, at most {} are supported", proto.node_size(),
         kMaxNodes);
  }
  Function function;
  function.opsets = read_opsets(proto);
  function.inputs = texts(proto.input());
  function.outputs = texts(proto.output());
  for (pb::AttributeProto& attribute : default_attributes(proto))
    function.attributes[attribute.name()] = read_attribute(attribute, folder);
  for (pb::NodeProto& node : *proto.mutable_node())
    function.nodes.push_back(read_node(node, folder));
  return function;
}

void read_functions(pb::ModelProto& proto, const std::optional<fs::path>& folder, Model& model) {
  for (pb::FunctionProto& function : *proto.mutable_functions()) {
    with_context(fmt::format("function '{}'", printable(function.name())), [&] {
      const auto key = std::pair(domain_name(function.domain()), function.name());
      if (!model.functions.emplace(key, read_function(function, folder)).second)
        fail(ErrorCode::kCorrupt, "there are two of this name");
    });
  }
}

ValueDef read_value(const pb::ValueInfoProto& proto) {
  ValueDef value;
  value.name = proto.name();
  // An input of a body may have no type.
  if (proto.type().value_case() == pb::TypeProto::VALUE_NOT_SET) return value;
  if (!proto.type().has_tensor_type()) {
    fail(ErrorCode::kUnsupported, "'{}' is not a tensor", printable(proto.name()));
  }
  const pb::TypeProto::Tensor& type = proto.type().tensor_type();
  value.type = static_cast<ElementType>(type.elem_type());
  value.has_shape = type.has_shape();
  if (type.shape().dim_size() > kMaxRank) {
    fail(ErrorCode::kUnsupported, "'{}' has {} dimensions, at most {} are supported",
         printable(proto.name()), type.shape().dim_size(), kMaxRank);
  }
  for (const pb::TensorShapeProto::Dimension& dim : type.shape().dim()) {
    // Some exporters write 0 or -1 for an unknown size.
    const bool is_known = dim.has_dim_value() && dim.dim_value() > 0;
    value.dims.push_back(is_known ? std::optional<int64_t>(dim.dim_value()) : std::nullopt);
    value.axis_names.push_back(dim.dim_param());
  }
  return value;
}

// Names of inputs and outputs are printed, and become names of arrays.
ValueDef read_input_or_output(const pb::ValueInfoProto& proto, const char* noun) {
  const std::string& name = proto.name();
  if (name.size() > kMaxNameBytes) {
    fail(ErrorCode::kUnsupported, "an {}'s name of {} bytes, at most {} are supported", noun,
         name.size(), kMaxNameBytes);
  }
  if (const std::string printed = printable_line(name); printed != name)
    fail(ErrorCode::kUnsupported, "{} '{}': control characters in its name", noun, printed);
  return read_value(proto);
}

void read_constants(pb::GraphProto& graph, const std::optional<fs::path>& folder, Model& model) {
  if (graph.sparse_initializer_size() > 0) {
    fail(ErrorCode::kUnsupported, "sparse initializers are not supported");
  }
  for (pb::TensorProto& tensor : *graph.mutable_initializer()) {
    if (tensor.name().empty()) fail(ErrorCode::kCorrupt, "an initializer has no name");
    if (!model.constants.emplace(tensor.name(), read_tensor(tensor, folder)).second) {
      fail(ErrorCode::kCorrupt, "duplicate initializer '{}'", printable(tensor.name()));
    }
  }
}

void read_graph(pb::GraphProto& graph, const std::optional<fs::path>& folder, Model& model) {
  if (graph.node_size() > kMaxNodes) {
    fail(ErrorCode::kUnsupported, "{} nodes, at most {} are supported", graph.node_size(),
         kMaxNodes);
  }
  model.name = graph.name();
  read_constants(graph, folder, model);
  for (const pb::ValueInfoProto& input : graph.input()) {
    // Before IR version 4 initializers had to be inputs too.
    if (model.constants.count(input.name()) == 0)
      model.inputs.push_back(read_input_or_output(input, "input"));
  }
  for (const pb::ValueInfoProto& output : graph.output()) {
    using Type = pb::TypeProto;
    if (output.type().value_case() != Type::VALUE_NOT_SET && !output.type().has_tensor_type()) {
      fail(ErrorCode::kUnsupported, "output '{}' is not a tensor", printable(output.name()));
    }
    model.outputs.push_back(read_input_or_output(output, "output"));
  }
  for (pb::NodeProto& node : *graph.mutable_node()) model.nodes.push_back(read_node(node, folder));
}

template <typename Message>
void parse_message(Message& message, std::span<const uint8_t> bytes, const char* what) {
  if (bytes.size() > INT_MAX ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    fail(ErrorCode::kCorrupt, "is not an {} (protobuf cannot parse it)", what);
  }
}

Model model_of(pb::ModelProto& proto, const std::optional<fs::path>& folder) {
  if (!proto.has_graph() || proto.opset_import_size() == 0) {
    fail(ErrorCode::kCorrupt, "is not an ONNX model: it has no {}",
         proto.has_graph() ? "opset version" : "graph");
  }
  Model model;
  model.opsets = read_opsets(proto);
  read_functions(proto, folder, model);
  read_graph(*proto.mutable_graph(), folder, model);
  return model;
}
// An empty node has two bytes in a file and 144 in memory, so protobuf allocates from an arena that
// is limited in proportion to the file while it parses. A larger block holds one array, which takes
// twice its bytes while it grows; its half counts, since integers of one byte in a file take eight.
constexpr size_t kFreeArenaBytes = size_t{8} << 20, kMaxArenaBytesPerByte = 16;
constexpr size_t kMaxMessageBlockBytes = 32 << 10;
thread_local size_t arena_bytes_left = SIZE_MAX;

void* allocate_in_arena(size_t bytes) {
  const size_t counted = bytes > kMaxMessageBlockBytes ? bytes / 2 : bytes;
  if (counted > arena_bytes_left) {
    fail(ErrorCode::kCorrupt,
         "its messages take more than {} times the bytes of the file in memory",
         kMaxArenaBytesPerByte);
  }
  arena_bytes_left -= counted;
  return ::operator new(bytes);
}

// A message and its memory.
template <typename Message>
class Parsed {
 public:
  // Errors: kCorrupt. `what`: for messages.
  Parsed(std::span<const uint8_t> bytes, const char* what)
      : arena_(options()), message_(google::protobuf::Arena::CreateMessage<Message>(&arena_)) {
    const Limit limit(kFreeArenaBytes + kMaxArenaBytesPerByte * bytes.size());
    parse_message(*message_, bytes, what);
  }
  Message& operator*() { return *message_; }

 private:
  struct Limit {
    explicit Limit(size_t bytes) { arena_bytes_left = bytes; }
    ~Limit() { arena_bytes_left = SIZE_MAX; }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;
  };
  static google::protobuf::ArenaOptions options() {
    google::protobuf::ArenaOptions options;
    options.max_block_size = kMaxMessageBlockBytes;
    options.block_alloc = allocate_in_arena;
    options.block_dealloc = [](void* block, size_t) { ::operator delete(block); };
    return options;
  }

  google::protobuf::Arena arena_;
  Message* const message_;
};

}  // namespace

std::string printable(const std::string& name) {
  constexpr size_t kMaxChars = 80;
  std::string text = name.substr(0, kMaxChars);
  std::replace_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

Model parse_model(std::span<const uint8_t> bytes, const std::optional<fs::path>& folder) {
  return model_of(*Parsed<pb::ModelProto>(bytes, "ONNX model"), folder);
}

Model read_model(const fs::path& path) {
  // The bytes are freed before the tensors are allocated.
  Parsed<pb::ModelProto> proto(read_file(path), "ONNX model");
  return model_of(*proto, path.parent_path());
}

NamedTensor parse_tensor(std::span<const uint8_t> bytes) {
  Parsed<pb::TensorProto> parsed(bytes, "ONNX tensor");
  pb::TensorProto& proto = *parsed;
  NamedTensor tensor;
  tensor.name = proto.name();
  tensor.array = read_tensor(proto, std::nullopt);
  return tensor;
}

}  // namespace vta::onnx
