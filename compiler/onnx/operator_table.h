// SPDX-License-Identifier: Apache-2.0
//
// The operators that the importer understands, from operators.def and folded_operators.def.
#ifndef VTA_COMPILER_ONNX_OPERATOR_TABLE_H_
#define VTA_COMPILER_ONNX_OPERATOR_TABLE_H_

#include <string>
#include <vector>

#include "compiler/onnx/node_context.h"

namespace vta::onnx {

constexpr int64_t kFirstOpset = 7;
constexpr int64_t kLastOpset = 25;

using ImportFunction = void (*)(NodeContext&);

struct OperatorEntry {
  const char* name;
  ImportFunction run;
  const char* versions;  // "1 11 22"; "7 9 !10" has gone in 10
  int64_t inputs_since;
  const char* what;  // "" for folded operators

  std::vector<int64_t> version_list() const;
  int64_t removed_in() const;  // 0: never
};

// Of the second list, for those of the first that find it does what they cannot.
void fold_slice(NodeContext& node);
void fold_split(NodeContext& node);

const std::vector<OperatorEntry>& graph_operators();
const std::vector<OperatorEntry>& folded_operators();

// Null if there is none of that name.
const OperatorEntry* find_operator(const std::vector<OperatorEntry>& table, const std::string& op);

// The operator's version in a model of `opset`: ONNX's largest since-version that is not above it.
// Errors: kUnsupported where the entry does not know that version.
int64_t version_in_opset(const OperatorEntry& entry, int64_t opset);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_OPERATOR_TABLE_H_
