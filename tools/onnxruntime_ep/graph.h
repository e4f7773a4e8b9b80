// SPDX-License-Identifier: Apache-2.0
//
// A graph of ONNX Runtime as the provider reads it: nodes that refer to values by name.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_GRAPH_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/onnxruntime_ep/api.h"

namespace vta::onnxruntime_ep {

struct Value {
  Ort::ConstValueInfo info;
  // ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED: not a tensor. The numbers are those of ONNX.
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::vector<int64_t> dims;  // -1: open. Empty: a scalar, or an unknown shape
  std::string rows;           // the name of an open first size; "": it has none
  bool is_constant = false;   // a constant initializer
};

struct Node {
  Ort::ConstNode node;
  std::string name, op, domain;
  std::vector<std::string> inputs, outputs;  // "": omitted
  std::set<std::string> consumed;            // inputs and what its subgraphs use; without constants
  bool has_subgraphs = false;
  std::string other_provider = "";  // another execution provider that runs it already; "": none
};

class Graph {
 public:
  explicit Graph(const Ort::ConstGraph& graph);

  const std::vector<Node>& nodes() const { return nodes_; }  // in topological order
  const Value& value(const std::string& name) const { return values_.at(name); }
  const std::vector<std::string>& inputs() const { return inputs_; }
  bool is_output(const std::string& value) const { return outputs_.contains(value); }
  const std::string& model_file() const { return model_file_; }  // "": not from a file
  int64_t ir_version() const { return ir_version_; }
  const std::map<std::string, int64_t>& opsets() const { return opsets_; }

 private:
  void add(const Ort::ConstValueInfo& info);

  std::vector<Node> nodes_;
  std::map<std::string, Value> values_;
  std::vector<std::string> inputs_;  // without constants
  std::set<std::string> outputs_;
  std::string model_file_;
  int64_t ir_version_ = 0;
  std::map<std::string, int64_t> opsets_;
};

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_GRAPH_H_
