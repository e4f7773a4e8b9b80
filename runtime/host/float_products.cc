// SPDX-License-Identifier: Apache-2.0
//
// Single fp32 convolutions, dense layers and matrix products, by oneDNN on one thread. oneDNN
// chooses its own blocked layouts; operands and result are reordered before and after. The library
// caches its primitives by descriptor. Whole networks on several threads: executor.h.
#include <unordered_map>

#include "runtime/host/onednn_version.h"
#include "runtime/host/operators.h"
#include "runtime/host/transposed_planes.h"

namespace vta::host {
namespace {

using dnnl::memory;

template <typename Action>
void run_onednn(const char* what, Action&& action) {
  use_threads(1);
  translate_errors(what, action);
}

ProductShape shape_of(OpKind kind, const OpAttrs& attrs, const Operands& inputs,
                      const Tensor& output) {
  return product_shape(kind, attrs, inputs[0].type(), inputs[1].type(), output.type());
}

memory::desc bias_layout(const ProductShape& shape, const Operands& inputs) {
  return inputs.size() == 3 ? plain_layout(shape.bias) : memory::desc();
}

// Runs a product, with reorders where its layouts differ from the plain ones.
template <typename Primitive>
void run_product(const typename Primitive::primitive_desc& primitive, const ProductShape& shape,
                 const Operands& inputs, Tensor& output) {
  dnnl::stream stream(cpu());
  const auto plain = shape.source.size() == 4 ? memory::format_tag::nchw : memory::format_tag::nc;
  std::unordered_map<int, memory> args;
  args[DNNL_ARG_SRC] =
      in_layout(wrap(inputs[0], shape.source, plain), primitive.src_desc(), stream);
  args[DNNL_ARG_WEIGHTS] = in_layout(wrap(inputs[1], shape.weights, shape.weights_tag),
                                     primitive.weights_desc(), stream);
  if (inputs.size() == 3) {
    args[DNNL_ARG_BIAS] = wrap(inputs[2], shape.bias, memory::format_tag::x);
  }
  output.mutable_bytes();
  memory final = wrap(output, shape.result, plain);
  const bool direct = final.get_desc() == primitive.dst_desc();
  memory result = direct ? final : memory(primitive.dst_desc(), cpu());
  args[DNNL_ARG_DST] = result;
  Primitive(primitive).execute(stream, args);
  if (!direct) dnnl::reorder(result, final).execute(stream, result, final);
  stream.wait();
}

// The tensor in a dense layout, its shape extended to `rank` by leading axes of size 1.
memory matrices(const Tensor& tensor, size_t rank) {
  memory::dims dims = tensor.shape();
  dims.insert(dims.begin(), rank - dims.size(), 1);
  return {plain_layout(dims), cpu(), const_cast<uint8_t*>(tensor.bytes().data())};
}

}  // namespace

void conv2d(const Attrs<OpKind::kConv2d>& attrs, const Operands& inputs, Tensor& output) {
  run_onednn("conv2d", [&] {
    const ProductShape shape = shape_of(OpKind::kConv2d, attrs, inputs, output);
    run_product<dnnl::convolution_forward>(
        describe_convolution(shape, bias_layout(shape, inputs), any_layout(shape.result), {}),
        shape, inputs, output);
  });
}

void conv2d_transpose(const Attrs<OpKind::kConv2dTranspose>& attrs, const Operands& inputs,
                      Tensor& output) {
  run_onednn("conv2d_transpose", [&] {
    const ProductShape shape = shape_of(OpKind::kConv2dTranspose, attrs, inputs, output);
    if (!is_supported(shape)) return scatter_planes(attrs, inputs, output);
    run_product<dnnl::deconvolution_forward>(
        describe_transposed(shape, bias_layout(shape, inputs), any_layout(shape.result), {}), shape,
        inputs, output);
  });
}

void dense(const Attrs<OpKind::kDense>& attrs, const Operands& inputs, Tensor& output) {
  run_onednn("dense", [&] {
    const ProductShape shape = shape_of(OpKind::kDense, attrs, inputs, output);
    run_product<dnnl::inner_product_forward>(
        describe<dnnl::inner_product_forward>(
            {}, dnnl::prop_kind::forward_inference, plain_layout(shape.source),
            plain_layout(shape.weights), bias_layout(shape, inputs), plain_layout(shape.result)),
        shape, inputs, output);
  });
}

void matmul(const NoAttrs&, const Operands& inputs, Tensor& output) {
  run_onednn("matmul", [&] {
    const size_t rank = output.shape().size();
    output.mutable_bytes();
    const memory a = matrices(inputs[0], rank), b = matrices(inputs[1], rank);
    const memory result = matrices(output, rank);
    dnnl::stream stream(cpu());
    dnnl::matmul(describe<dnnl::matmul>({}, a.get_desc(), b.get_desc(), result.get_desc()))
        .execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, result}});
    stream.wait();
  });
}

}  // namespace vta::host
