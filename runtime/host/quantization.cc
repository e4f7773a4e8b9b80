// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "runtime/host/broadcast.h"
#include "runtime/host/operators.h"
#include "runtime/host/requantize.h"
#include "runtime/tensor/quantized.h"

namespace vta::host {

void quantize(const Attrs<OpKind::kQuantize>& attrs, const Operands& inputs, Tensor& output) {
  const auto x = inputs[0].data<float>();
  const auto y = output.mutable_data<int8_t>();
  quantize_elements(x.data(), static_cast<ptrdiff_t>(x.size()), attrs, y.data());
}

void dequantize(const Attrs<OpKind::kDequantize>& attrs, const Operands& inputs, Tensor& output) {
  dequantize_elements(inputs[0], attrs, output.mutable_data<float>());
}

void qadd(const Attrs<OpKind::kQAdd>& attrs, const Operands& inputs, Tensor& output) {
  const auto a = inputs[0].data<int8_t>(), b = inputs[1].data<int8_t>();
  const auto y = output.mutable_data<int8_t>();
  const Requantization requantize(attrs);
  const auto factor_a = static_cast<uint32_t>(attrs.scaled ? attrs.factor_a : 1);
  const auto factor_b = static_cast<uint32_t>(attrs.scaled ? attrs.factor_b : 1);
  const auto addend = static_cast<uint32_t>(attrs.addend);
  for (size_t i = 0; i < y.size(); ++i) {
    const uint32_t sum = (static_cast<uint32_t>(int32_t{a[i]}) * factor_a << attrs.shift_a) +
                         (static_cast<uint32_t>(int32_t{b[i]}) * factor_b << attrs.shift_b) +
                         addend;
    y[i] = requantize(static_cast<int32_t>(sum));
  }
}

void qmul(const Attrs<OpKind::kQMul>& attrs, const Operands& inputs, Tensor& output) {
  const Requantization requantize(attrs);
  if (attrs.gate != 0) {
    const auto gate = static_cast<int32_t>(attrs.gate),
               factor = static_cast<int32_t>(attrs.factor_a);
    const auto addend = static_cast<int32_t>(attrs.addend);
    return compute_broadcast<int8_t, int8_t>(
        inputs[0], inputs[1], output, [&](int32_t a, int32_t b) {
          return requantize(a * std::clamp(b + addend, 0, gate) * factor);
        });
  }
  compute_broadcast<int8_t, int8_t>(inputs[0], inputs[1], output,
                                    [&](int32_t a, int32_t b) { return requantize(a * b); });
}

void lookup(const NoAttrs&, const Operands& inputs, Tensor& output) {
  const auto x = inputs[0].data<int8_t>(), table = inputs[1].data<int8_t>();
  const auto y = output.mutable_data<int8_t>();
  for (size_t i = 0; i < x.size(); ++i) y[i] = table[static_cast<size_t>(x[i] + 128)];
}

}  // namespace vta::host
