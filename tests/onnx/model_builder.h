// SPDX-License-Identifier: Apache-2.0
//
// Small ONNX models for tests, as the bytes of a file.
#ifndef VTA_TESTS_ONNX_MODEL_BUILDER_H_
#define VTA_TESTS_ONNX_MODEL_BUILDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/onnx/element_type.h"

namespace vta::onnx {

using Names = std::vector<std::string>;
// In a function: the value of its attribute of this name.
struct Reference {
  std::string name;
};
// Bytes: of a model whose graph is the attribute.
using AttributeValue = std::variant<int64_t, float, std::string, std::vector<int64_t>,
                                    std::vector<float>, std::vector<uint8_t>, Reference>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

// The elements of a TensorProto and where they are stored.
struct TensorSpec {
  enum class Storage { kRaw, kTyped, kExternal };
  std::string name;
  ElementType type = ElementType::kFloat;
  std::vector<int64_t> dims;
  std::vector<double> values;
  Storage storage = Storage::kRaw;
  std::string location, offset, length;  // for kExternal; "" is not written
};

class ModelBuilder {
 public:
  explicit ModelBuilder(int64_t opset = 13);
  ~ModelBuilder();

  // One more opset, of another domain or, in illegal models, of the same.
  ModelBuilder& opset(const std::string& domain, int64_t version);

  // A dimension of -1 is symbolic, "N".
  ModelBuilder& input(const std::string& name, const std::vector<int64_t>& dims,
                      ElementType type = ElementType::kFloat);
  // Makes an axis of an input symbolic; "": without a name.
  ModelBuilder& axis_name(const std::string& input, int axis, const std::string& name);
  ModelBuilder& output(const std::string& name);
  ModelBuilder& output(const std::string& name, const std::vector<int64_t>& dims);
  ModelBuilder& node(const std::string& op, const Names& inputs, const Names& outputs,
                     const Attributes& attributes = {}, const std::string& domain = "");
  // A function whose nodes, opset, inputs and outputs are those of `body`.
  ModelBuilder& function(const std::string& domain, const std::string& name,
                         const ModelBuilder& body, const Attributes& defaults = {});
  ModelBuilder& constant(const TensorSpec& tensor);
  ModelBuilder& floats(const std::string& name, const std::vector<int64_t>& dims,
                       const std::vector<double>& values);
  ModelBuilder& integers(const std::string& name, const std::vector<double>& values);

  std::vector<uint8_t> bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The bytes of a file with a single tensor.
std::vector<uint8_t> tensor_bytes(const TensorSpec& tensor);

}  // namespace vta::onnx

#endif  // VTA_TESTS_ONNX_MODEL_BUILDER_H_
