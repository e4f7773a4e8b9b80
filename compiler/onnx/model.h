// SPDX-License-Identifier: Apache-2.0
//
// An ONNX model as its file has it, in structures of our own: what protobuf gives, checked for what
// every reader of it relies on. Nothing here knows what an operator means.
#ifndef VTA_COMPILER_ONNX_MODEL_H_
#define VTA_COMPILER_ONNX_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/onnx/array.h"
#include "compiler/onnx/element_type.h"

namespace vta::onnx {

struct Attribute {
  enum class Kind { kFloat, kInt, kText, kTensor, kFloats, kInts, kTexts, kOther };
  Kind kind = Kind::kOther;  // kOther: graphs, sparse tensors, types; nothing is read of them
  float number = 0;
  int64_t integer = 0;
  std::string text;
  Array tensor;
  std::vector<float> numbers;
  std::vector<int64_t> integers;
};

struct NodeDef {
  std::string name;                  // may be empty
  std::string op;                    // "Conv"
  std::string domain;                // "" is ONNX's own
  std::vector<std::string> inputs;   // "" where an optional input is left out
  std::vector<std::string> outputs;  // "" where nobody wants one
  std::map<std::string, Attribute> attributes;
};

// An input or output of the graph.
struct ValueDef {
  std::string name;
  ElementType type = ElementType::kUndefined;
  bool has_shape = false;
  std::vector<std::optional<int64_t>> dims;  // none: symbolic, or not said
};

struct Model {
  std::string name;
  std::map<std::string, int64_t> opsets;   // domain -> version
  std::vector<NodeDef> nodes;              // in file order
  std::map<std::string, Array> constants;  // initializers
  std::vector<ValueDef> inputs;            // initializers among them left out
  std::vector<ValueDef> outputs;
};

// Reads a model file's bytes. Tensors stored beside the model are looked for in `folder` and
// nowhere above it; with no folder they are refused.
// Errors: kCorrupt for what is no model or contradicts itself; kUnsupported for element types that
// element_type.h does not list, sparse tensors, and training models; kNotFound and kIo for external
// data. Each names the tensor or node.
Model parse_model(std::span<const uint8_t> bytes,
                  const std::optional<std::filesystem::path>& folder = std::nullopt);

// Reads the file and parse_model()s it, with the file's own folder.
Model read_model(const std::filesystem::path& path);

// A file that holds one TensorProto alone, as ONNX's node tests come with. Errors: as above.
struct NamedTensor {
  std::string name;
  Array array;
};
NamedTensor parse_tensor(std::span<const uint8_t> bytes);

// A name from a file for a message: shortened, other than printable ASCII as '?'.
std::string printable(const std::string& name);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_MODEL_H_
