// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "runtime/host/operators.h"

namespace vta::host {

void batch_norm(const OpAttrs& attrs, const Operands& inputs, Tensor& output) {
  const auto x = inputs[0].data<float>();
  const auto gamma = inputs[1].data<float>(), beta = inputs[2].data<float>();
  const auto mean = inputs[3].data<float>(), variance = inputs[4].data<float>();
  const auto y = output.mutable_data<float>();
  const size_t channels = gamma.size();
  const size_t plane = x.size() / (static_cast<size_t>(inputs[0].dim(0)) * channels);
  for (size_t first = 0, c = 0; first < x.size(); first += plane, c = (c + 1) % channels) {
    const double scale = gamma[c] / std::sqrt(double{variance[c]} + attrs.epsilon);
    const auto factor = static_cast<float>(scale);
    const auto offset = static_cast<float>(beta[c] - mean[c] * scale);
    for (size_t i = first; i < first + plane; ++i) y[i] = x[i] * factor + offset;
  }
}

void relu(const OpAttrs&, const Operands& inputs, Tensor& output) {
  const auto x = inputs[0].data<float>();
  const auto y = output.mutable_data<float>();
  for (size_t i = 0; i < x.size(); ++i) y[i] = std::max(x[i], 0.0f);
}

void clip(const OpAttrs& attrs, const Operands& inputs, Tensor& output) {
  const auto x = inputs[0].data<float>();
  const auto y = output.mutable_data<float>();
  const auto lo = static_cast<float>(attrs.lo), hi = static_cast<float>(attrs.hi);
  for (size_t i = 0; i < x.size(); ++i) y[i] = std::min(std::max(x[i], lo), hi);
}

void add(const OpAttrs&, const Operands& inputs, Tensor& output) {
  const auto a = inputs[0].data<float>(), b = inputs[1].data<float>();
  const auto y = output.mutable_data<float>();
  for (size_t i = 0; i < y.size(); ++i) y[i] = a[i] + b[i];
}

void softmax(const OpAttrs&, const Operands& inputs, Tensor& output) {
  const auto x = inputs[0].data<float>();
  const auto y = output.mutable_data<float>();
  const auto width = static_cast<size_t>(inputs[0].shape().back());
  for (size_t first = 0; first < x.size(); first += width) {
    // exp() of non-positive numbers cannot overflow, and their sum is at least 1.
    const float largest = *std::max_element(x.begin() + first, x.begin() + first + width);
    double sum = 0;
    for (size_t i = first; i < first + width; ++i) sum += y[i] = std::exp(x[i] - largest);
    for (size_t i = first; i < first + width; ++i) y[i] = static_cast<float>(y[i] / sum);
  }
}

}  // namespace vta::host
