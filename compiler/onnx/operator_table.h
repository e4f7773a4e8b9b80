// SPDX-License-Identifier: Apache-2.0
//
// The table of supported operators, from operators.def and folded_operators.def.
#ifndef VTA_COMPILER_ONNX_OPERATOR_TABLE_H_
#define VTA_COMPILER_ONNX_OPERATOR_TABLE_H_

#include <string>
#include <vector>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

constexpr int64_t kFirstOpset = 7;
constexpr int64_t kLastOpset = 27;

using ImportFunction = void (*)(NodeContext&);

struct OperatorEntry {
  const char* name;
  ImportFunction run;
  const char* versions;  // "1 11 22"; "7 9 !10": removed in 10
  int64_t inputs_since;
  const char* what;  // "" for folded operators

  std::vector<int64_t> version_list() const;
  int64_t removed_in() const;  // 0: never
};

// Folding functions that operators of the graph also call.
void fold_slice(NodeContext& node);
void fold_split(NodeContext& node);

const std::vector<OperatorEntry>& graph_operators();
const std::vector<OperatorEntry>& folded_operators();
// Operators of ONNX Runtime's own domain.
inline constexpr const char* kContribDomain = "com.microsoft";
const std::vector<OperatorEntry>& contrib_operators();
// Operators of QONNX, and the domains in which QONNX itself, FINN and Brevitas write them.
inline constexpr const char* kQonnxDomains[] = {"qonnx.custom_op.general", "finn.custom_op.general",
                                                "onnx.brevitas"};
const std::vector<OperatorEntry>& qonnx_operators();

// Null for a domain without supported operators.
const std::vector<OperatorEntry>* operators_of_domain(const std::string& domain);

// Null if there is no operator of that name.
const OperatorEntry* find_operator(const std::vector<OperatorEntry>& table, const std::string& op);

// The operator's since-version in a model of `opset`: the largest that is not above it.
// Errors: kUnsupported if the importer does not support that version.
int64_t version_in_opset(const OperatorEntry& entry, int64_t opset);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_OPERATOR_TABLE_H_
