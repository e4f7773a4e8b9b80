// SPDX-License-Identifier: Apache-2.0
//
// Number of multiply-accumulates of operators, for the tables of operators (core_operators.def and
// macs.cc).
#ifndef VTA_RUNTIME_PROGRAM_PRODUCTS_H_
#define VTA_RUNTIME_PROGRAM_PRODUCTS_H_

#include <cstdint>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta {

// Multiply-accumulates of an operator over all images, from its attributes, its first operand and
// its result.
using ProductCount = int64_t(const OpAttrs& attrs, const TensorType& src, const TensorType& dst);
ProductCount no_products;  // 0
// 0 for a convolution that only copies (compiler/lower/passes.h, fuse_shortcut).
ProductCount convolution_products;
ProductCount transposed_convolution_products;
ProductCount dense_products;
ProductCount matmul_products;

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_PRODUCTS_H_
