// SPDX-License-Identifier: Apache-2.0
//
// An ONNX model as stored in its file: the content of the protobuf classes in our own structures,
// validated. It does not interpret operators.
#ifndef VTA_COMPILER_ONNX_MODEL_H_
#define VTA_COMPILER_ONNX_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/onnx/array.h"
#include "compiler/onnx/element_type.h"

namespace vta::onnx {

struct Model;

struct Attribute {
  enum class Kind { kFloat, kInt, kText, kTensor, kFloats, kInts, kTexts, kGraph, kOther };
  Kind kind = Kind::kOther;  // kOther: lists of graphs, sparse tensors, types; not read
  float number = 0;
  int64_t integer = 0;
  std::string text;
  Array tensor;
  std::vector<float> numbers;
  std::vector<int64_t> integers;
  std::vector<std::string> texts;
  std::shared_ptr<const Model> graph;  // without opsets: a branch or body of its node's model
  std::string reference;  // in a function: the name of its attribute whose value this one has
};

struct NodeDef {
  std::string name;                  // may be empty
  std::string op;                    // "Conv"
  std::string domain;                // "" is ONNX's own
  std::vector<std::string> inputs;   // "": an omitted optional input
  std::vector<std::string> outputs;  // "": an unused output
  std::map<std::string, Attribute> attributes;
};

// An input or output of the graph.
struct ValueDef {
  std::string name;
  ElementType type = ElementType::kUndefined;
  bool has_shape = false;
  std::vector<std::optional<int64_t>> dims;  // none: symbolic or absent
  std::vector<std::string> axis_names;       // of symbolic sizes; "": has none
};

// `input` is an image of four axes. Returns the axis of its height, which the width follows: 1 if
// only the last axis has 1 or 3 elements, the channels of [n, h, w, c]; else 2.
size_t first_image_side(const ValueDef& input);

// A function of the model: a node with its domain and name stands for its nodes.
struct Function {
  std::map<std::string, int64_t> opsets;
  std::vector<std::string> inputs, outputs;     // names of values
  std::map<std::string, Attribute> attributes;  // with defaults
  std::vector<NodeDef> nodes;                   // in file order
};

struct Model {
  std::string name;
  std::map<std::string, int64_t> opsets;   // domain -> version
  std::vector<NodeDef> nodes;              // in file order
  std::map<std::string, Array> constants;  // initializers
  std::vector<ValueDef> inputs;            // without initializers
  std::vector<ValueDef> outputs;
  std::map<std::pair<std::string, std::string>, Function> functions;  // by domain and name
};

// Parses the bytes of a model file. External data are read from `folder` and below; without a
// folder they are an error. Errors: kCorrupt for a malformed or inconsistent model; kUnsupported
// for element types that element_type.h does not list, sparse tensors, and training models;
// kNotFound and kIo for external data. Each names the tensor or node.
Model parse_model(std::span<const uint8_t> bytes,
                  const std::optional<std::filesystem::path>& folder = std::nullopt);

// Reads and parses a file; external data are relative to its folder.
Model read_model(const std::filesystem::path& path);

// Parses a file with a single TensorProto, as ONNX's node tests use. Errors: as above.
struct NamedTensor {
  std::string name;
  Array array;
};
NamedTensor parse_tensor(std::span<const uint8_t> bytes);

// A name from a file, for a message: shortened, with '?' for other than printable ASCII.
std::string printable(const std::string& name);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_MODEL_H_
