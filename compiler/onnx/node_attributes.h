// SPDX-License-Identifier: Apache-2.0
//
// NodeAttributes: the attributes of one node of the model. A request for one of another type is an
// error that names it.
#ifndef VTA_COMPILER_ONNX_NODE_ATTRIBUTES_H_
#define VTA_COMPILER_ONNX_NODE_ATTRIBUTES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "compiler/onnx/model.h"

namespace vta::onnx {

class NodeAttributes {
 public:
  NodeAttributes(const NodeDef& node, int64_t version) : node_(node), version_(version) {}

  const NodeDef& def() const { return node_; }
  int64_t version() const { return version_; }

  bool has_attr(const char* name);
  int64_t integer(const char* name, int64_t fallback);
  bool flag(const char* name, bool fallback);  // 0 or 1
  double number(const char* name, double fallback);
  std::string text(const char* name, const char* fallback);
  std::optional<Dims> integers(const char* name);
  const Attribute* attribute(const char* name);  // null if absent
  void refuse_unknown_attributes() const;        // that were not asked for
  // The importer puts this graph, an attribute, in place of the node.
  void set_branch(const char* name);
  const Model* branch() const { return branch_.get(); }

 protected:
  // Those that another view of the node has asked for.
  void add_asked(const NodeAttributes& other) {
    asked_.insert(other.asked_.begin(), other.asked_.end());
  }

 private:
  const NodeDef& node_;
  const int64_t version_;
  std::set<std::string> asked_;
  std::shared_ptr<const Model> branch_;
};

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_NODE_ATTRIBUTES_H_
