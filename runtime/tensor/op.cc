// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/op.h"

#include <algorithm>
#include <iterator>

namespace vta {
namespace {

struct OpEntry {
  const char* name;
  int min_inputs;
  int max_inputs;
  const char* attributes;  // separated by ", "
  OpAttrs (*only)(const OpAttrs&);
};

constexpr OpEntry kOps[] = {
#define VTA_OP(kind, name, min_inputs, max_inputs, infer, ...) \
  {#name, min_inputs, max_inputs, #__VA_ARGS__,                \
   [](const OpAttrs& all) -> OpAttrs { return Attrs<OpKind::kind>(all); }},
#include "runtime/tensor/ops.def"
};

const OpEntry& entry(OpKind kind) {
  const auto index = static_cast<size_t>(kind);
  VTA_ASSERT(index < std::size(kOps), "an operator of ops.def");
  return kOps[index];
}

}  // namespace

const char* to_string(OpKind kind) { return entry(kind).name; }
int min_inputs(OpKind kind) { return entry(kind).min_inputs; }
int max_inputs(OpKind kind) { return entry(kind).max_inputs; }

OpKind op_kind_from_string(const std::string& text) {
  for (size_t i = 0; i < std::size(kOps); ++i) {
    if (text == kOps[i].name) return static_cast<OpKind>(i);
  }
  fail(ErrorCode::kUnsupported, "operator '{}' is not known", text.substr(0, 64));
}

std::vector<std::string> attr_names(OpKind kind) {
  std::vector<std::string> names;
  const std::string all = entry(kind).attributes;
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find(", ", begin), all.size());
    names.push_back(all.substr(begin, end - begin));
    begin = end + 2;
  }
  return names;
}

OpAttrs attrs_for(OpKind kind, const OpAttrs& attrs) { return entry(kind).only(attrs); }

}  // namespace vta
