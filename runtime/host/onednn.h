// SPDX-License-Identifier: Apache-2.0
//
// oneDNN as runtime/host uses it: one engine, tensors as its memories, its errors as ours, and
// convolutions of every kind in its terms.
#ifndef VTA_RUNTIME_HOST_ONEDNN_H_
#define VTA_RUNTIME_HOST_ONEDNN_H_

#include <dnnl.hpp>

#include "runtime/base/error.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

constexpr dnnl::memory::data_type kFloat = dnnl::memory::data_type::f32;

const dnnl::engine& cpu();

// How many threads oneDNN takes when it is called from this one. It has no call for it, so the
// OpenMP runtime behind it is asked, if there is one.
void use_threads(int count);

// The tensor's bytes, as `dims`. oneDNN takes a mutable pointer for what it only reads.
dnnl::memory wrap(const Tensor& tensor, const dnnl::memory::dims& dims,
                  dnnl::memory::format_tag tag);

// A dense, row-major layout.
dnnl::memory::desc plain_layout(const dnnl::memory::dims& dims);

// Whichever layout the primitive likes best.
dnnl::memory::desc any_layout(const dnnl::memory::dims& dims);

// `source` itself, or a copy in the layout that a primitive asks for.
dnnl::memory in_layout(dnnl::memory source, const dnnl::memory::desc& wanted, dnnl::stream& stream);

// conv2d, conv2d_transpose or dense.
struct ProductShape {
  dnnl::memory::dims source, weights, bias, result;
  dnnl::memory::dims stride, dilation, pad_before, pad_after;
  dnnl::memory::format_tag weights_tag;  // of our weights
};
ProductShape product_shape(OpKind kind, const OpAttrs& attrs, const TensorType& source,
                           const TensorType& weights, const TensorType& result);

// oneDNN takes no padding behind that cuts off a whole stride or more.
bool is_supported(const ProductShape& shape);

// `bias` and `result` are descriptions of layouts; no bias is an empty one.
dnnl::convolution_forward::primitive_desc describe_convolution(const ProductShape& shape,
                                                               const dnnl::memory::desc& bias,
                                                               const dnnl::memory::desc& result,
                                                               const dnnl::primitive_attr& attr);
dnnl::deconvolution_forward::primitive_desc describe_transposed(const ProductShape& shape,
                                                                const dnnl::memory::desc& bias,
                                                                const dnnl::memory::desc& result,
                                                                const dnnl::primitive_attr& attr);
dnnl::inner_product_forward::primitive_desc describe_dense(const ProductShape& shape,
                                                           const dnnl::memory::desc& bias,
                                                           const dnnl::memory::desc& result,
                                                           const dnnl::primitive_attr& attr);

// Failures of oneDNN for valid operands are the machine's: memory, or a shape without an
// implementation.
template <typename Action>
void translate_errors(const char* what, Action&& action) {
  try {
    action();
  } catch (const dnnl::error& error) {
    const bool memory_ran_out = error.status == dnnl_out_of_memory;
    fail(memory_ran_out ? ErrorCode::kOutOfMemory : ErrorCode::kUnsupported, "{}: oneDNN: {}", what,
         error.what());
  }
}

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_ONEDNN_H_
