// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/broadcast.h"

#include <algorithm>

namespace vta::host {
namespace {

// In elements; 0 along repeated axes.
std::vector<int64_t> repeating_strides(const std::vector<int64_t>& shape, size_t rank) {
  std::vector<int64_t> strides(rank);
  int64_t stride = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t dim = shape[shape.size() - 1 - i];
    strides[rank - 1 - i] = dim == 1 ? 0 : stride;
    stride *= dim;
  }
  return strides;
}

}  // namespace

Broadcast::Broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b,
                     const std::vector<int64_t>& result)
    : counts_(result),
      a_strides_(repeating_strides(a, result.size())),
      b_strides_(repeating_strides(b, result.size())) {
  for (int64_t dim : result) num_elems_ *= dim;
  // Extend the line over the last axes while each operand keeps its step.
  bool is_first = true;
  while (!counts_.empty()) {
    const int64_t count = counts_.back();
    if (count > 1) {
      if (is_first) {
        a_step_ = a_strides_.back();
        b_step_ = b_strides_.back();
      } else if (a_strides_.back() != a_step_ * length_ || b_strides_.back() != b_step_ * length_) {
        break;
      }
      is_first = false;
    }
    length_ *= count;
    counts_.pop_back();
    a_strides_.pop_back();
    b_strides_.pop_back();
  }
}

}  // namespace vta::host
