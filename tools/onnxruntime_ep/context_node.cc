// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/context_node.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "tools/onnxruntime_ep/options.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOperator = "EPContext";
constexpr const char* kDomain = "com.microsoft";
constexpr const char* kProgram = "ep_cache_context";
constexpr const char* kIsEmbedded = "embed_mode";
constexpr const char* kSource = "source";

// std::nullopt if the node has no such attribute of this type.
template <typename T>
std::optional<T> find_attribute(const Node& node, const char* name) {
  T value{};
  Ort::ConstOpAttr attribute{nullptr};
  const Ort::Status found = node.node.GetAttributeByName(name, attribute);
  if (!found.IsOK() || attribute == nullptr || !attribute.GetValue(value).IsOK())
    return std::nullopt;
  return value;
}

template <typename T>
T attribute(const Node& node, const char* name) {
  std::optional<T> value = find_attribute<T>(node, name);
  if (!value) fail(ErrorCode::kCorrupt, "{} '{}' has no attribute {}", kOperator, node.name, name);
  return *std::move(value);
}

// A program has all its inputs and outputs.
void require_all(const Node& node, const std::vector<std::string>& values, const char* noun) {
  const auto omitted = std::ranges::find(values, "");
  if (omitted == values.end()) return;
  fail(ErrorCode::kCorrupt, "{} '{}': {} {} is omitted, expected the name of a value", kOperator,
       node.name, noun, omitted - values.begin());
}

// A name in the model must not lead to files elsewhere.
fs::path program_file(const Node& node, const std::string& name, const fs::path& model) {
  if (model.empty() || fs::path(name).filename() != name) {
    fail(ErrorCode::kCorrupt,
         "{} '{}': its program is the file '{}', expected one in the folder of the model",
         kOperator, node.name, name);
  }
  return model.parent_path() / name;
}

Program program_of(const Node& node, const fs::path& model) {
  const auto content = attribute<std::string>(node, kProgram);
  vta_program* program = nullptr;
  if (attribute<int64_t>(node, kIsEmbedded) == 0) {
    check(vta_program_open(program_file(node, content, model).c_str(), &program));
  } else {
    check(vta_program_parse(node.name.c_str(), reinterpret_cast<const uint8_t*>(content.data()),
                            content.size(), &program));
  }
  return Program(program);
}

Ort::Node node_of(const CompiledPart& part, const std::string& name, const std::string& content,
                  int64_t is_embedded) {
  const auto names = [](const std::vector<Port>& ports) {
    std::vector<std::string> result;
    for (const Port& port : ports) result.push_back(port.name);
    return result;
  };
  const auto text = [](const char* key, const std::string& value) {
    return Ort::OpAttr(key, value.data(), static_cast<int>(value.size()), ORT_OP_ATTR_STRING);
  };
  const int64_t is_main = 1;
  std::vector<Ort::OpAttr> attributes;
  attributes.emplace_back("main_context", &is_main, 1, ORT_OP_ATTR_INT);
  attributes.emplace_back(kIsEmbedded, &is_embedded, 1, ORT_OP_ATTR_INT);
  attributes.push_back(text(kProgram, content));
  attributes.push_back(text("ep_sdk_version", vta_version()));
  attributes.push_back(text("partition_name", name));
  attributes.push_back(text(kSource, kProvider));
  return Ort::Node(kOperator, kDomain, name, names(part.inputs), names(part.outputs), attributes);
}

}  // namespace

bool is_context_node(const Node& node) {
  return node.op == kOperator && node.domain == kDomain &&
         find_attribute<std::string>(node, kSource) == kProvider;
}

CompiledPart read_context_node(const Graph& graph, const Node& node, const fs::path& model) {
  require_all(node, node.inputs, "input");
  require_all(node, node.outputs, "output");
  CompiledPart part;
  part.program = program_of(node, model);
  set_ports(graph, node.inputs, node.outputs, part);
  return part;
}

Ort::Node context_node(const CompiledPart& part, const std::string& name) {
  size_t num_bytes = 0;
  check(vta_program_file_bytes(part.program.get(), &num_bytes));
  std::string content(num_bytes, '\0');
  const vta_buffer buffer = {content.data(), content.size()};
  check(vta_program_write(part.program.get(), &buffer));
  return node_of(part, name, content, 1);
}

Ort::Node context_node(const CompiledPart& part, const std::string& name, const fs::path& model) {
  if (model.empty()) {
    fail(ErrorCode::kInvalidArgument,
         "the model is not a file: set ep.context_file_path, or ep.context_embed_mode to 1");
  }
  const std::string file = model.stem().string() + "." + name + ".vta";
  check(vta_program_save(part.program.get(), (model.parent_path() / file).c_str()));
  return node_of(part, name, file, 0);
}

}  // namespace vta::onnxruntime_ep
