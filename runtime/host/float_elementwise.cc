// SPDX-License-Identifier: Apache-2.0
//
// Element-wise fp32 operators.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "runtime/host/broadcast.h"
#include "runtime/host/operators.h"

namespace vta::host {
namespace {

template <typename Compute>
void map(const Tensor& input, Tensor& output, Compute&& compute) {
  const auto x = input.data<float>();
  const auto y = output.mutable_data<float>();
  for (size_t i = 0; i < x.size(); ++i) y[i] = compute(x[i]);
}

template <typename Compute>
void combine(const Operands& inputs, Tensor& output, Compute&& compute) {
  compute_broadcast<float, float>(inputs[0], inputs[1], output, compute);
}

// Avoids exp() of large numbers.
float softplus_of(float x) { return std::max(x, 0.0f) + std::log1p(std::exp(-std::abs(x))); }

float bounded(float x, float lo, float hi) { return std::min(std::max(x, lo), hi); }

}  // namespace

void batch_norm(const Attrs<OpKind::kBatchNorm>& attrs, const Operands& inputs, Tensor& output) {
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

void relu(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return std::max(x, 0.0f); });
}

void clip(const Attrs<OpKind::kClip>& attrs, const Operands& inputs, Tensor& output) {
  const auto lo = static_cast<float>(attrs.lo), hi = static_cast<float>(attrs.hi);
  map(inputs[0], output, [lo, hi](float x) { return bounded(x, lo, hi); });
}

void leaky_relu(const Attrs<OpKind::kLeakyRelu>& attrs, const Operands& inputs, Tensor& output) {
  const auto alpha = static_cast<float>(attrs.alpha);
  map(inputs[0], output, [alpha](float x) { return x < 0 ? alpha * x : x; });
}

void sigmoid(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return 1.0f / (1.0f + std::exp(-x)); });
}

void tanh(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return std::tanh(x); });
}

void hard_sigmoid(const Attrs<OpKind::kHardSigmoid>& attrs, const Operands& inputs,
                  Tensor& output) {
  const auto alpha = static_cast<float>(attrs.alpha), beta = static_cast<float>(attrs.beta);
  map(inputs[0], output, [=](float x) { return bounded(alpha * x + beta, 0, 1); });
}

void hard_swish(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return x * bounded(x / 6.0f + 0.5f, 0, 1); });
}

void silu(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return x / (1.0f + std::exp(-x)); });
}

void abs(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return std::abs(x); });
}

void exp(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return std::exp(x); });
}

void log(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return std::log(x); });
}

void sqrt(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return std::sqrt(x); });
}

void erf(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return std::erf(x); });
}

void gelu(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) {
    return 0.5f * x * (1.0f + std::erf(x * std::numbers::sqrt2_v<float> / 2.0f));
  });
}

void softplus(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return softplus_of(x); });
}

void mish(const NoAttrs&, const Operands& inputs, Tensor& output) {
  map(inputs[0], output, [](float x) { return x * std::tanh(softplus_of(x)); });
}

void elu(const Attrs<OpKind::kElu>& attrs, const Operands& inputs, Tensor& output) {
  const auto alpha = static_cast<float>(attrs.alpha);
  map(inputs[0], output, [alpha](float x) { return x < 0 ? alpha * std::expm1(x) : x; });
}

void power(const Attrs<OpKind::kPower>& attrs, const Operands& inputs, Tensor& output) {
  const auto alpha = static_cast<float>(attrs.alpha);
  map(inputs[0], output, [alpha](float x) { return std::pow(x, alpha); });
}

void prelu(const NoAttrs&, const Operands& inputs, Tensor& output) {
  combine(inputs, output, [](float x, float slope) { return x < 0 ? slope * x : x; });
}

void add(const NoAttrs&, const Operands& inputs, Tensor& output) {
  combine(inputs, output, [](float a, float b) { return a + b; });
}

void sub(const NoAttrs&, const Operands& inputs, Tensor& output) {
  combine(inputs, output, [](float a, float b) { return a - b; });
}

void mul(const NoAttrs&, const Operands& inputs, Tensor& output) {
  combine(inputs, output, [](float a, float b) { return a * b; });
}

void div(const NoAttrs&, const Operands& inputs, Tensor& output) {
  combine(inputs, output, [](float a, float b) { return a / b; });
}

void min(const NoAttrs&, const Operands& inputs, Tensor& output) {
  combine(inputs, output, [](float a, float b) { return std::min(a, b); });
}

void max(const NoAttrs&, const Operands& inputs, Tensor& output) {
  combine(inputs, output, [](float a, float b) { return std::max(a, b); });
}

}  // namespace vta::host
