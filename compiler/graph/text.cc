// SPDX-License-Identifier: Apache-2.0
//
// Writer and parser of the graph's text form.
#include <charconv>
#include <limits>
#include <map>

#include "base/files/checksum.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/names.h"

namespace vta::graph {
namespace {

constexpr int64_t kMaxElemsShown = 16;
// Limit of the zeros allocated for constants without values: a short text must not allocate
// gigabytes.
constexpr int64_t kMaxElemsInAll = int64_t{1} << 28;
constexpr size_t kMaxRank = 8;

template <typename T>
std::string values_text(const Tensor& tensor) {
  return fmt::format("[{}]", fmt::join(tensor.data<T>(), ", "));
}

std::string constant_text(const Tensor& value) {
  if (!has_values_in_text(value)) return fmt::format(" crc32 {:#010x}", crc32(value.bytes()));
  switch (value.dtype()) {
    case DType::kFloat32:
      return " = " + values_text<float>(value);
    case DType::kInt8:
      return " = " + values_text<int8_t>(value);
    case DType::kInt32:
      return " = " + values_text<int32_t>(value);
  }
  return "";
}

std::string references(const Graph& graph, const std::vector<NodeId>& ids) {
  std::vector<std::string> names;
  for (NodeId id : ids) names.push_back("%" + graph.node(id).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string node_text(const Graph& graph, const Node& node) {
  std::string attrs = to_string(node.kind, node.attrs);
  if (!attrs.empty()) attrs = " " + attrs;
  return fmt::format("%{} = {}({}){} : {}{}{}\n", node.name, to_string(node.kind),
                     references(graph, node.inputs), attrs, to_string(node.type),
                     node.kind == OpKind::kConstant ? constant_text(node.value) : "",
                     node.on_core ? " @core" : "");
}

// Parses one line; the caller adds the line number to errors.
class LineReader {
 public:
  explicit LineReader(const std::string& line) : line_(line) { skip_spaces(); }

  bool at_end() const { return at_ == line_.size(); }
  bool accept(const std::string& token) {
    if (line_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    skip_spaces();
    return true;
  }
  void expect(const std::string& token) {
    if (!accept(token)) complain("'" + token + "'");
  }
  std::string read_name() {
    const size_t begin = at_;
    while (at_ < line_.size() && is_name_letter(line_[at_])) ++at_;
    if (at_ == begin) complain("a name");
    const std::string name = line_.substr(begin, at_ - begin);
    skip_spaces();
    return name;
  }
  std::string read_braces() {
    if (at_ == line_.size() || line_[at_] != '{') return "";
    const size_t end = line_.find('}', at_);
    if (end == std::string::npos) complain("'}' after the attributes");
    const std::string text = line_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    skip_spaces();
    return text;
  }
  template <typename Number>
  Number read_number() {
    Number value{};
    const char* end = line_.data() + line_.size();
    const auto [rest, error] = std::from_chars(line_.data() + at_, end, value);
    if (error != std::errc{}) complain("a number");
    at_ = static_cast<size_t>(rest - line_.data());
    skip_spaces();
    return value;
  }
  TensorType read_type() {
    TensorType type;
    const std::string element = read_name();
    type.dtype = dtype_from_string(element);
    expect("[");
    int64_t count = 1;
    do {
      if (accept("<=")) type.open_axes |= static_cast<uint8_t>(1 << type.shape.size());
      const auto dim = read_number<int64_t>();
      if (dim < 1 || dim > std::numeric_limits<int32_t>::max() || type.shape.size() == kMaxRank) {
        complain("at most 8 axes of 1 to 2147483647 elements");
      }
      if (count > std::numeric_limits<int32_t>::max() / dim) {
        complain("at most 2147483647 elements");
      }
      count *= dim;
      type.shape.push_back(dim);
    } while (accept(","));
    expect("]");
    return type;
  }
  [[noreturn]] void complain(const std::string& expectation) const {
    fail(ErrorCode::kCorrupt, "expected {}, got '{}'", expectation, line_.substr(at_, 24));
  }

 private:
  void skip_spaces() {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
  }
  const std::string line_;
  size_t at_ = 0;
};

class GraphReader {
 public:
  Graph read(const std::string& text) {
    size_t begin = 0;
    for (int number = 1; begin < text.size(); ++number) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      begin = end + 1;
      try {
        read_line(line);
      } catch (const Error& error) {
        fail(ErrorCode::kCorrupt, "graph text, line {}: {}", number, error.what());
      }
    }
    if (!named_) fail(ErrorCode::kCorrupt, "graph text: no line 'graph NAME'");
    if (!returned_) fail(ErrorCode::kCorrupt, "graph text: no line 'return ...'");
    return std::move(graph_);
  }

 private:
  void read_line(const std::string& line) {
    LineReader reader(line);
    if (reader.at_end() || reader.accept("#")) return;
    if (returned_)
      fail(ErrorCode::kCorrupt, "unexpected text after 'return': '{}'", line.substr(0, 24));
    if (!named_) {
      reader.expect("graph ");
      graph_.name = reader.read_name();
      named_ = true;
    } else if (reader.accept("return ")) {
      graph_.set_outputs(read_references(reader));
      returned_ = true;
    } else {
      read_node(reader);
    }
    if (!reader.at_end()) reader.complain("the end of the line");
  }

  std::vector<NodeId> read_references(LineReader& reader) {
    std::vector<NodeId> ids;
    do {
      reader.expect("%");
      const std::string name = reader.read_name();
      const auto found = ids_.find(name);
      if (found == ids_.end()) fail(ErrorCode::kCorrupt, "%{} is not defined above", name);
      ids.push_back(found->second);
    } while (reader.accept(","));
    return ids;
  }

  void read_node(LineReader& reader) {
    reader.expect("%");
    const std::string name = reader.read_name();
    if (ids_.count(name) != 0) fail(ErrorCode::kCorrupt, "%{} is defined twice", name);
    reader.expect("=");
    const OpKind kind = op_kind_from_string(reader.read_name());
    reader.expect("(");
    std::vector<NodeId> inputs;
    if (!reader.accept(")")) {
      inputs = read_references(reader);
      reader.expect(")");
    }
    OpAttrs attrs = attrs_from_string(kind, reader.read_braces());
    reader.expect(":");
    const TensorType type = reader.read_type();
    const NodeId id = add(kind, name, std::move(inputs), attrs, type, reader);
    ids_[name] = id;
    graph_.node(id).attrs = std::move(attrs);
    if (reader.accept("@core")) graph_.node(id).on_core = true;
  }

  NodeId add(OpKind kind, const std::string& name, std::vector<NodeId> inputs, const OpAttrs& attrs,
             const TensorType& type, LineReader& reader) {
    const bool is_source = kind == OpKind::kInput || kind == OpKind::kConstant;
    if (is_source && !inputs.empty())
      fail(ErrorCode::kCorrupt, "{} has no inputs", to_string(kind));
    if (is_source && type.is_open())
      fail(ErrorCode::kCorrupt, "{} has no open axes", to_string(kind));
    if (kind == OpKind::kInput) return graph_.add_input(name, type);
    if (kind == OpKind::kConstant) return graph_.add_constant(name, read_constant(reader, type));
    const NodeId id = graph_.add(kind, name, std::move(inputs), attrs);
    if (graph_.node(id).type != type) {
      fail(ErrorCode::kCorrupt, "%{} has type {}, not {}", name, to_string(graph_.node(id).type),
           to_string(type));
    }
    return id;
  }

  Tensor read_constant(LineReader& reader, const TensorType& type) {
    num_elems_ += type.num_elems();
    if (num_elems_ > kMaxElemsInAll) {
      fail(ErrorCode::kCorrupt, "constants have more than {} elements in total", kMaxElemsInAll);
    }
    Tensor value(type);
    if (reader.accept("crc32 0x")) {
      reader.read_name();
    } else if (reader.accept("=")) {
      switch (type.dtype) {
        case DType::kFloat32:
          read_values(reader, value.mutable_data<float>());
          break;
        case DType::kInt8:
          read_values(reader, value.mutable_data<int8_t>());
          break;
        case DType::kInt32:
          read_values(reader, value.mutable_data<int32_t>());
          break;
      }
    }
    return value;
  }

  template <typename T>
  void read_values(LineReader& reader, std::span<T> values) {
    for (size_t i = 0; i < values.size(); ++i) {
      reader.expect(i == 0 ? "[" : ",");
      values[i] = reader.read_number<T>();
    }
    reader.expect("]");
  }

  Graph graph_;
  std::map<std::string, NodeId> ids_;
  int64_t num_elems_ = 0;
  bool named_ = false;
  bool returned_ = false;
};

}  // namespace

bool has_values_in_text(const Tensor& constant) { return constant.num_elems() <= kMaxElemsShown; }

std::string to_text(const Graph& graph) {
  std::string text = fmt::format("graph {}\n", graph.name);
  for (NodeId id : graph.order()) text += node_text(graph, graph.node(id));
  return text + "return " + references(graph, graph.outputs()) + "\n";
}

Graph from_text(const std::string& text) { return GraphReader().read(text); }

}  // namespace vta::graph
