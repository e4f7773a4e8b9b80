// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/products.h"

namespace vta {
namespace {

// Quantized layers are clipped to +-127; a copy keeps all of int8.
bool only_copies(const OpAttrs& attrs) {
  return attrs.lo == -128 && attrs.hi == 127 && attrs.shift == 0 && !attrs.relu && !attrs.scaled &&
         attrs.leak == 0;
}

int64_t num_taps(const OpAttrs& attrs) { return attrs.kernel[0] * attrs.kernel[1]; }

}  // namespace

int64_t no_products(const OpAttrs&, const TensorType&, const TensorType&) { return 0; }

int64_t convolution_products(const OpAttrs& attrs, const TensorType& src, const TensorType& dst) {
  if (only_copies(attrs)) return 0;
  const int64_t weights = (src.shape[1] / attrs.groups) * num_taps(attrs);
  return dst.num_elems() * (attrs.products > 0 ? attrs.products : weights);
}

int64_t transposed_convolution_products(const OpAttrs& attrs, const TensorType& src,
                                        const TensorType& dst) {
  return src.num_elems() * (dst.shape[1] / attrs.groups) * num_taps(attrs);
}

int64_t dense_products(const OpAttrs&, const TensorType& src, const TensorType& dst) {
  return dst.num_elems() * src.shape[1];
}

int64_t matmul_products(const OpAttrs& attrs, const TensorType& src, const TensorType& dst) {
  return dst.num_elems() * (attrs.products > 0 ? attrs.products : src.shape.back());
}

}  // namespace vta
