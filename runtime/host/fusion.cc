// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/fusion.h"

#include <algorithm>

#include "runtime/host/onednn.h"
#include "runtime/host/primitives.h"

namespace vta::host {
namespace {

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
           primitive_of(operations_, operation) != nullptr;
  }

  void grow(Layer& layer, const std::vector<bool>& done) const {
    constexpr size_t kMaxTail = 3;
    while (layer.tail.size() < kMaxTail) {
      const size_t last = layer.result();
      if (users_[last].size() != 1 || used_outside_[last]) return;
      const size_t next = users_[last][0];
      const PrimitiveRule* const rule = primitive_of(operations_, operations_[next]);
      if (rule == nullptr) return;
      if (rule->primitive == PrimitiveKind::kEltwise) {
        if (has_algorithm(layer, eltwise_of(next))) return;
        layer.tail.push_back(next);
      } else if (rule->primitive == PrimitiveKind::kSum && !layer.has_residual &&
                 can_accumulate(operations_[layer.base]) && can_take_over(next, last, done)) {
        const std::vector<size_t>& operands = operations_[next].inputs;
        layer.inputs.push_back(operands[0] == last ? operands[1] : operands[0]);
        layer.has_residual = true;
        layer.tail.push_back(next);
      } else {
        return;
      }
    }
  }

  dnnl::algorithm eltwise_of(size_t i) const {
    const PrimitiveRule* const rule = primitive_of(operations_, operations_[i]);
    return rule->primitive == PrimitiveKind::kEltwise
               ? rule->eltwise(operations_[i].attrs).algorithm
               : dnnl::algorithm::undef;
  }

  // oneDNN 2.6 applies the parameters of the first of several post-operations of one algorithm to
  // all of them: clip(0, 6) after clip(-1, 2) would clip to -1 and 2 again.
  bool has_algorithm(const Layer& layer, dnnl::algorithm algorithm) const {
    return std::ranges::any_of(layer.tail,
                               [&](size_t member) { return eltwise_of(member) == algorithm; });
  }

  // oneDNN 2.6 (brgconv:avx512_core) leaves out the bias of windows of padding when it accumulates
  // into the residual operand.
  bool can_accumulate(const Operation& operation) const {
    return !has_window_of_padding(product_shape(operations_, operation));
  }

  // The sum overwrites its other operand, which must therefore be computed already, be in a oneDNN
  // buffer, and have no later reader.
  bool can_take_over(size_t add, size_t last, const std::vector<bool>& done) const {
    const Operation& operation = operations_[add];
    if (operation.inputs[0] == operation.inputs[1]) return false;
    const size_t other = operation.inputs[0] == last ? operation.inputs[1] : operation.inputs[0];
    return done[other] && primitive_of(operations_, operations_[other]) != nullptr &&
           !used_outside_[other] &&
           std::all_of(users_[other].begin(), users_[other].end(),
                       [&](size_t user) { return user == add || done[user]; });
  }

  const std::vector<Operation>& operations_;
  std::vector<std::vector<size_t>> users_;
  std::vector<bool> used_outside_;
};

}  // namespace

std::vector<Layer> form_layers(const std::vector<Operation>& operations,
                               const std::vector<size_t>& outputs, bool fuse) {
  return Former(operations, outputs).run(fuse);
}

}  // namespace vta::host
