// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/operator_table.h"

#include <algorithm>
#include <sstream>

namespace vta::onnx {

#define VTA_ONNX_OP(name, function, versions, inputs_since, what) void function(NodeContext&);
#define VTA_ONNX_CONTRIB(name, function, what) void function(NodeContext&);
#define VTA_ONNX_QONNX(name, function, what) void function(NodeContext&);
#include "compiler/onnx/operators.def"
#define VTA_ONNX_FOLDED(name, function, versions, inputs_since) void function(NodeContext&);
#include "compiler/onnx/folded_operators.def"

std::vector<int64_t> OperatorEntry::version_list() const {
  std::istringstream text(versions);
  std::vector<int64_t> list;
  for (int64_t version = 0; text >> version;) list.push_back(version);
  return list;
}

int64_t OperatorEntry::removed_in() const {
  const std::string text = versions;
  const size_t mark = text.find('!');
  return mark == std::string::npos ? 0 : std::stoll(text.substr(mark + 1));
}

const std::vector<OperatorEntry>& graph_operators() {
  static const std::vector<OperatorEntry> table = {
#define VTA_ONNX_OP(name, function, versions, inputs_since, what) \
  {#name, function, versions, inputs_since, what},
#include "compiler/onnx/operators.def"
  };
  return table;
}

const std::vector<OperatorEntry>& folded_operators() {
  static const std::vector<OperatorEntry> table = {
#define VTA_ONNX_FOLDED(name, function, versions, inputs_since) \
  {#name, function, versions, inputs_since, ""},
#include "compiler/onnx/folded_operators.def"
  };
  return table;
}

const std::vector<OperatorEntry>& contrib_operators() {
  static const std::vector<OperatorEntry> table = {
#define VTA_ONNX_CONTRIB(name, function, what) {#name, function, "1", 0, what},
#include "compiler/onnx/operators.def"
  };
  return table;
}

const std::vector<OperatorEntry>& qonnx_operators() {
  static const std::vector<OperatorEntry> table = {
#define VTA_ONNX_QONNX(name, function, what) {#name, function, "1", 0, what},
#include "compiler/onnx/operators.def"
  };
  return table;
}

const std::vector<OperatorEntry>* operators_of_domain(const std::string& domain) {
  if (domain == kContribDomain) return &contrib_operators();
  const bool is_qonnx = std::ranges::find(kQonnxDomains, domain) != std::end(kQonnxDomains);
  return is_qonnx ? &qonnx_operators() : nullptr;
}

const OperatorEntry* find_operator(const std::vector<OperatorEntry>& table, const std::string& op) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const OperatorEntry& entry) { return op == entry.name; });
  return found == table.end() ? nullptr : &*found;
}

int64_t version_in_opset(const OperatorEntry& entry, int64_t opset) {
  int64_t version = 0;
  for (int64_t candidate : entry.version_list()) {
    if (candidate <= opset) version = candidate;
  }
  if (version == 0 || (entry.removed_in() > 0 && opset >= entry.removed_in())) {
    fail(ErrorCode::kUnsupported, "{} has no version in opset {}; the importer knows versions {}",
         entry.name, opset, entry.versions);
  }
  return version;
}

}  // namespace vta::onnx
