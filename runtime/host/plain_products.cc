// SPDX-License-Identifier: Apache-2.0
//
// Single fp32 convolutions, dense layers and matrix products in plain loops, for builds without
// oneDNN: boards, where such layers are left to the host only if the user asks for it.
#include <algorithm>

#include "runtime/host/operators.h"
#include "runtime/host/scatter.h"
#include "runtime/host/transposed_planes.h"

namespace vta::host {
namespace {

// sums[y] += x[y * stride + p * dilation - pad] * weights[p], along both axes.
void gather(const Attrs<OpKind::kConv2d>& attrs, const float* x, Plane in, const float* weights,
            Plane out, float* sums) {
  for (int64_t p = 0; p < attrs.kernel[0]; ++p) {
    for (int64_t q = 0; q < attrs.kernel[1]; ++q) {
      const float weight = weights[p * attrs.kernel[1] + q];
      for (int64_t y = 0; y < out.h; ++y) {
        const int64_t row = y * attrs.stride[0] + p * attrs.dilation[0] - attrs.pad[0];
        if (row < 0 || row >= in.h) continue;
        for (int64_t i = 0; i < out.w; ++i) {
          const int64_t column = i * attrs.stride[1] + q * attrs.dilation[1] - attrs.pad[1];
          if (column >= 0 && column < in.w) sums[y * out.w + i] += x[row * in.w + column] * weight;
        }
      }
    }
  }
}

// result[m, n] = bias[n] + sum over k of a[m, k] * b(k, n), where b is [k, n], or [n, k] if
// `b_is_transposed`.
struct Matrices {
  int64_t m, k, n;
  bool b_is_transposed;
};
void multiply(const Matrices& size, const float* a, const float* b, float* result) {
  for (int64_t i = 0; i < size.m; ++i) {
    for (int64_t j = 0; j < size.n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < size.k; ++l) {
        const float factor = size.b_is_transposed ? b[j * size.k + l] : b[l * size.n + j];
        sum += a[i * size.k + l] * factor;
      }
      result[i * size.n + j] += sum;
    }
  }
}

// The offset in elements of matrix `index` of `type`, whose leading axes broadcast to `shape`.
int64_t matrix_offset(const TensorType& type, const std::vector<int64_t>& shape, int64_t index) {
  const size_t rank = type.shape.size(), missing = shape.size() - rank;
  int64_t offset = 0, pitch = type.shape[rank - 2] * type.shape[rank - 1];
  for (size_t axis = shape.size() - 2; axis-- > 0;) {
    const int64_t position = index % shape[axis];
    index /= shape[axis];
    if (axis < missing) continue;
    const int64_t own = type.shape[axis - missing];
    if (own > 1) offset += position * pitch;
    pitch *= own;
  }
  return offset;
}

}  // namespace

void conv2d(const Attrs<OpKind::kConv2d>& attrs, const Operands& inputs, Tensor& output) {
  const Tensor &x = inputs[0], &w = inputs[1];
  const int64_t ic = x.dim(1), oc = output.dim(1), group_ic = w.dim(1);
  const int64_t group_oc = oc / attrs.groups, taps = w.dim(2) * w.dim(3);
  const Plane in{x.dim(2), x.dim(3)}, out{output.dim(2), output.dim(3)};
  float* sums = output.mutable_data<float>().data();
  for (int64_t plane = 0; plane < x.dim(0) * oc; ++plane, sums += out.h * out.w) {
    const int64_t n = plane / oc, o = plane % oc;
    if (inputs.size() == 3) std::fill_n(sums, out.h * out.w, inputs[2].data<float>()[o]);
    for (int64_t c = 0; c < group_ic; ++c) {
      const int64_t channel = n * ic + o / group_oc * group_ic + c;
      gather(attrs, x.data<float>().data() + channel * in.h * in.w, in,
             w.data<float>().data() + (o * group_ic + c) * taps, out, sums);
    }
  }
}

void conv2d_transpose(const Attrs<OpKind::kConv2dTranspose>& attrs, const Operands& inputs,
                      Tensor& output) {
  scatter_planes(attrs, inputs, output);
}

void dense(const NoAttrs&, const Operands& inputs, Tensor& output) {
  const int64_t m = output.dim(0), n = output.dim(1);
  float* result = output.mutable_data<float>().data();
  for (int64_t i = 0; i < m && inputs.size() == 3; ++i)
    std::ranges::copy(inputs[2].data<float>(), result + i * n);
  multiply({m, inputs[0].num_elems() / m, n, true}, inputs[0].data<float>().data(),
           inputs[1].data<float>().data(), result);
}

void matmul(const NoAttrs&, const Operands& inputs, Tensor& output) {
  const std::vector<int64_t>& shape = output.shape();
  const int64_t m = shape[shape.size() - 2], n = shape.back(), k = inputs[0].shape().back();
  float* result = output.mutable_data<float>().data();
  for (int64_t i = 0; i < output.num_elems() / (m * n); ++i) {
    multiply({m, k, n, false},
             inputs[0].data<float>().data() + matrix_offset(inputs[0].type(), shape, i),
             inputs[1].data<float>().data() + matrix_offset(inputs[1].type(), shape, i),
             result + i * m * n);
  }
}

}  // namespace vta::host
