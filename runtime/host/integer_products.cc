// SPDX-License-Identifier: Apache-2.0
//
// Integer dense layer and matrix product. Sums are exact modulo 2^32, so their order does not
// matter.
#include <algorithm>
#include <vector>

#include "runtime/host/operators.h"
#include "runtime/host/requantize.h"
#include "runtime/tensor/operand_matrices.h"

namespace vta::host {

void qdense(const Attrs<OpKind::kQDense>& attrs, const Operands& inputs, Tensor& output) {
  const int64_t ic = inputs[0].dim(1), oc = output.dim(1);
  const int8_t* x = inputs[0].data<int8_t>().data();
  const int8_t* w = inputs[1].data<int8_t>().data();
  with_result(attrs, inputs, output, [&](auto* y, const auto& conversions) {
    for (int64_t n = 0; n < output.dim(0); ++n) {
      for (int64_t o = 0; o < oc; ++o) {
        uint32_t sum = 0;
        for (int64_t i = 0; i < ic; ++i)
          sum += static_cast<uint32_t>(x[n * ic + i] * w[o * ic + i]);
        y[n * oc + o] = conversions[static_cast<size_t>(o)](static_cast<int32_t>(sum));
      }
    }
  });
}

void qmatmul(const Attrs<OpKind::kQMatmul>& attrs, const Operands& inputs, Tensor& output) {
  const int64_t rank = std::ssize(output.shape());
  const int64_t n = output.dim(rank - 1), k = inputs[0].shape().back();
  const int64_t m = output.dim(rank - 2), num_rows = output.num_elems() / n;
  const std::vector<int64_t> of_a = operand_matrices(inputs[0].shape(), output.shape());
  const std::vector<int64_t> of_b = operand_matrices(inputs[1].shape(), output.shape());
  const int8_t* all_a = inputs[0].data<int8_t>().data();
  const int8_t* all_b = inputs[1].data<int8_t>().data();
  int8_t* result = output.mutable_data<int8_t>().data();
  const auto factor = static_cast<int32_t>(attrs.scaled ? attrs.factor_a : 1);
  const Requantization requantize(attrs, attrs.shift, factor, static_cast<int32_t>(attrs.addend));
  std::vector<uint32_t> sums(static_cast<size_t>(n));
  for (int64_t row = 0; row < num_rows; ++row, result += n) {
    const auto matrix = static_cast<size_t>(row / m);
    const int8_t* a = all_a + (of_a[matrix] * m + row % m) * k;
    const int8_t* b = all_b + of_b[matrix] * k * n;
    std::ranges::fill(sums, 0u);
    for (int64_t i = 0; i < k; ++i, b += n) {
      const int32_t x = a[i];
      for (int64_t o = 0; o < n; ++o)
        sums[static_cast<size_t>(o)] += static_cast<uint32_t>(x * b[o]);
    }
    for (int64_t o = 0; o < n; ++o)
      result[o] = requantize(static_cast<int32_t>(sums[static_cast<size_t>(o)]));
  }
}

}  // namespace vta::host
