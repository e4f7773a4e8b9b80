// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/fusion.h"

#include <algorithm>

#include "runtime/host/onednn.h"

namespace vta::host {
namespace {

bool has_constant_weights(const std::vector<Operation>& operations, const Operation& operation) {
  return std::all_of(operation.inputs.begin() + 1, operation.inputs.end(),
                     [&](size_t input) { return operations[input].kind == OpKind::kConstant; });
}

// oneDNN counts padding in a window that sticks out of the padded image; we do not.
bool is_onednn_pool(const Operation& operation) {
  const OpAttrs& a = operation.attrs;
  return a.dilation == std::array<int64_t, 2>{1, 1} && !(a.ceil_mode && a.count_include_pad);
}

class Former {
 public:
  Former(const std::vector<Operation>& operations, const std::vector<size_t>& outputs)
      : operations_(operations), users_(operations.size()), used_outside_(operations.size()) {
    for (size_t i = 0; i < operations.size(); ++i) {
      for (size_t input : operations[i].inputs) users_[input].push_back(i);
    }
    for (size_t output : outputs) used_outside_[output] = true;
  }

  std::vector<Layer> run(bool fuse) {
    std::vector<Layer> layers;
    std::vector<bool> done(operations_.size());
    for (size_t i = 0; i < operations_.size(); ++i) {
      const OpKind kind = operations_[i].kind;
      if (kind == OpKind::kInput || kind == OpKind::kConstant || done[i]) continue;
      Layer layer{i, {}, operations_[i].inputs};
      if (fuse && can_have_tail(operations_[i])) grow(layer, done);
      for (size_t member : layer.tail) done[member] = true;
      layers.push_back(std::move(layer));
      done[i] = true;
    }
    return layers;
  }

 private:
  bool can_have_tail(const Operation& operation) const {
    return (operation.kind == OpKind::kConv2d || operation.kind == OpKind::kDense) &&
           is_onednn(operations_, operation);
  }

  void grow(Layer& layer, const std::vector<bool>& done) const {
    constexpr size_t kMaxTail = 3;
    while (layer.tail.size() < kMaxTail) {
      const size_t last = layer.result();
      if (users_[last].size() != 1 || used_outside_[last]) return;
      const size_t next = users_[last][0];
      if (!is_onednn(operations_, operations_[next])) return;
      if (is_activation(operations_[next].kind)) {
        layer.tail.push_back(next);
      } else if (!layer.has_residual && can_take_over(next, last, done)) {
        const std::vector<size_t>& operands = operations_[next].inputs;
        layer.inputs.push_back(operands[0] == last ? operands[1] : operands[0]);
        layer.has_residual = true;
        layer.tail.push_back(next);
      } else {
        return;
      }
    }
  }

  // The sum is formed where the other operand lies: it must exist already, in a buffer of oneDNN,
  // and nothing else may read it from now on.
  bool can_take_over(size_t add, size_t last, const std::vector<bool>& done) const {
    const Operation& operation = operations_[add];
    if (operation.kind != OpKind::kAdd || operation.inputs[0] == operation.inputs[1]) return false;
    const size_t other = operation.inputs[0] == last ? operation.inputs[1] : operation.inputs[0];
    return done[other] && is_onednn(operations_, operations_[other]) && !used_outside_[other] &&
           std::all_of(users_[other].begin(), users_[other].end(),
                       [&](size_t user) { return user == add || done[user]; });
  }

  const std::vector<Operation>& operations_;
  std::vector<std::vector<size_t>> users_;
  std::vector<bool> used_outside_;
};

}  // namespace

bool is_activation(OpKind kind) {
  return kind == OpKind::kRelu || kind == OpKind::kClip || kind == OpKind::kLeakyRelu ||
         kind == OpKind::kSigmoid || kind == OpKind::kTanh || kind == OpKind::kHardSwish ||
         kind == OpKind::kSilu;
}

bool is_onednn(const std::vector<Operation>& operations, const Operation& operation) {
  if (operation.type.dtype != DType::kFloat32) return false;
  if (is_activation(operation.kind)) return true;
  const auto type_of = [&](size_t i) { return operations[operation.inputs[i]].type; };
  switch (operation.kind) {
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
    case OpKind::kDense:
      return has_constant_weights(operations, operation) &&
             is_supported(product_shape(operation.kind, operation.attrs, type_of(0), type_of(1),
                                        operation.type));
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
      return is_onednn_pool(operation);
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
      return type_of(0).dtype == DType::kFloat32;
    case OpKind::kAdd:
      return type_of(0) == type_of(1);
    case OpKind::kConcat:
      return operation.type.shape.size() == 4 && operation.inputs.size() > 1;
    case OpKind::kLrn:
      return operation.type.shape.size() == 4 && operation.attrs.size % 2 == 1;
    default:
      return false;
  }
}

std::vector<Layer> form_layers(const std::vector<Operation>& operations,
                               const std::vector<size_t>& outputs, bool fuse) {
  return Former(operations, outputs).run(fuse);
}

}  // namespace vta::host
