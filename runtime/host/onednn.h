// SPDX-License-Identifier: Apache-2.0
//
// oneDNN adapter: the engine, tensors as oneDNN memory, error translation, and the descriptions of
// convolutions and dense layers.
#ifndef VTA_RUNTIME_HOST_ONEDNN_H_
#define VTA_RUNTIME_HOST_ONEDNN_H_

#include <dnnl.hpp>
#include <string>

#include "base/errors/error.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

constexpr dnnl::memory::data_type kFloat = dnnl::memory::data_type::f32;

const dnnl::engine& cpu();

// Sets the number of threads that oneDNN uses when called from this thread. oneDNN itself has no
// such call; this sets it in the OpenMP runtime, if oneDNN was built with one.
void use_threads(int count);

// The tensor's bytes, with shape `dims`. oneDNN takes a mutable pointer also for inputs.
dnnl::memory wrap(const Tensor& tensor, const dnnl::memory::dims& dims,
                  dnnl::memory::format_tag tag);

// A dense, row-major layout.
dnnl::memory::desc plain_layout(const dnnl::memory::dims& dims);

// The axes from the outermost, blocked ones in capitals, then the inner blocks: "nchw", "nChw16c";
// "abc" for tensors that are not 2-D or 4-D. Weights: "oihw", "goihw", "oi".
std::string layout_text(const dnnl::memory::desc& layout);
std::string weight_layout_text(const dnnl::memory::desc& layout);

// Lets the primitive choose the layout.
dnnl::memory::desc any_layout(const dnnl::memory::dims& dims);

// `source` itself, or a copy in the layout `wanted`.
dnnl::memory in_layout(dnnl::memory source, const dnnl::memory::desc& wanted, dnnl::stream& stream);

// The dimensions of conv2d, conv2d_transpose or dense, in the terms of oneDNN.
struct ProductShape {
  dnnl::memory::dims source, weights, bias, result;
  dnnl::memory::dims stride, dilation, pad_before, pad_after;
  dnnl::memory::format_tag weights_tag;  // the layout of Tensor weights
};
ProductShape product_shape(OpKind kind, const OpAttrs& attrs, const TensorType& source,
                           const TensorType& weights, const TensorType& result);

// oneDNN does not support negative trailing padding of a whole stride or more.
bool is_supported(const ProductShape& shape);

// Whether a row or a column of the result of a convolution reads nothing but padding.
bool has_window_of_padding(const ProductShape& shape);

// `bias` and `result` are layouts; an empty `bias` means none.
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

// Calls `action` and turns an error of oneDNN into vta::Error: kOutOfMemory, or kUnsupported for a
// shape without an implementation.
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
