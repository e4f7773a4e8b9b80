// SPDX-License-Identifier: Apache-2.0
//
// Operator fusion: the operations of a network that run as one oneDNN primitive.
#ifndef VTA_RUNTIME_HOST_FUSION_H_
#define VTA_RUNTIME_HOST_FUSION_H_

#include <vector>

#include "runtime/host/executor.h"

namespace vta::host {

// An operation and the operations fused into it: activations, and at most one residual add.
struct Layer {
  size_t base;
  std::vector<size_t> tail;    // fused into base, in order; the last one gives the layer's result
  std::vector<size_t> inputs;  // of the whole layer; the residual add's other operand comes last
  bool has_residual = false;

  size_t result() const { return tail.empty() ? base : tail.back(); }
};

// Every operation except inputs and constants, in execution order. fuse = false: one layer per
// operation.
std::vector<Layer> form_layers(const std::vector<Operation>& operations,
                               const std::vector<size_t>& outputs, bool fuse);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_FUSION_H_
