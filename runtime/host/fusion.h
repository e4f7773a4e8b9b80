// SPDX-License-Identifier: Apache-2.0
//
// Which operations of a network become one primitive of oneDNN.
#ifndef VTA_RUNTIME_HOST_FUSION_H_
#define VTA_RUNTIME_HOST_FUSION_H_

#include <vector>

#include "runtime/host/executor.h"

namespace vta::host {

// An operation, and those that are computed with it: activations, and at most one add.
struct Layer {
  size_t base;
  std::vector<size_t> tail;    // operations behind base, in order; the last one gives the result
  std::vector<size_t> inputs;  // all that the layer reads; the add's other operand is the last one
  bool has_residual = false;

  size_t result() const { return tail.empty() ? base : tail.back(); }
};

// fp32 operations that oneDNN does in its own layouts. Products need constant weights.
bool is_onednn(const std::vector<Operation>& operations, const Operation& operation);
bool is_activation(OpKind kind);  // of those

// Every operation but inputs and constants, in an order in which they can run.
std::vector<Layer> form_layers(const std::vector<Operation>& operations,
                               const std::vector<size_t>& outputs, bool fuse);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_FUSION_H_
