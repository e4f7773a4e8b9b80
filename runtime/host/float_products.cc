// SPDX-License-Identifier: Apache-2.0
//
// Convolution and dense layer in fp32. oneDNN chooses its own blocked layouts; operands and result
// are reordered around it. Its primitives are cached inside the library, by descriptor.
#include <dlfcn.h>

#include <dnnl.hpp>
#include <unordered_map>

#include "runtime/host/operators.h"

namespace vta::host {
namespace {

using dnnl::memory;
constexpr memory::data_type kFloat = memory::data_type::f32;

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

// oneDNN's threads split sums by their number and spin where cores are shared. One thread gives the
// same bits on any number of cores. oneDNN has no call for it, so the OpenMP runtime behind it is
// asked, if there is one; the setting is the calling thread's.
void use_one_thread() {
  using SetNumThreads = void (*)(int);
  static const auto set_num_threads =
      reinterpret_cast<SetNumThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (set_num_threads != nullptr) set_num_threads(1);
}

memory wrap(const Tensor& tensor, const memory::dims& dims, memory::format_tag tag) {
  // oneDNN takes a mutable pointer for what it only reads.
  return {memory::desc(dims, kFloat, tag), cpu(), const_cast<uint8_t*>(tensor.bytes().data())};
}

// `source` itself, or a copy in the layout that a primitive asks for.
memory in_layout(memory source, const memory::desc& wanted, dnnl::stream& stream) {
  if (source.get_desc() == wanted) return source;
  memory copy(wanted, cpu());
  dnnl::reorder(source, copy).execute(stream, source, copy);
  return copy;
}

// Failures of oneDNN for valid operands are the machine's: memory, or a shape without an
// implementation.
template <typename Action>
void run_onednn(const char* what, Action&& action) {
  use_one_thread();
  try {
    action();
  } catch (const dnnl::error& error) {
    const bool memory_ran_out = error.status == dnnl_out_of_memory;
    fail(memory_ran_out ? ErrorCode::kOutOfMemory : ErrorCode::kUnsupported, "{}: oneDNN: {}", what,
         error.what());
  }
}

struct ConvolutionShape {
  memory::dims source, weights, bias, result;
  memory::dims stride, dilation, pad_before, pad_after;
  bool has_bias;
};

ConvolutionShape convolution_shape(const OpAttrs& attrs, const Operands& inputs,
                                   const Tensor& output) {
  const std::vector<int64_t>& w = inputs[1].shape();
  ConvolutionShape shape;
  shape.source = inputs[0].shape();
  shape.weights = w;
  if (attrs.groups > 1) shape.weights = {attrs.groups, w[0] / attrs.groups, w[1], w[2], w[3]};
  shape.bias = {w[0]};
  shape.result = output.shape();
  shape.stride = {attrs.stride[0], attrs.stride[1]};
  shape.dilation = {attrs.dilation[0] - 1, attrs.dilation[1] - 1};
  shape.pad_before = {attrs.pad[0], attrs.pad[1]};
  shape.pad_after = {attrs.pad[2], attrs.pad[3]};
  shape.has_bias = inputs.size() == 3;
  return shape;
}

dnnl::convolution_forward::primitive_desc describe(const ConvolutionShape& shape) {
  const auto any = [](const memory::dims& dims) {
    return memory::desc(dims, kFloat, memory::format_tag::any);
  };
  const memory::desc bias = shape.has_bias ? any(shape.bias) : memory::desc();
  // The padding behind may be larger than what windows reach; oneDNN wants exactly what they reach.
  memory::dims pad_after = shape.pad_after;
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t extent =
        (shape.weights[shape.weights.size() - 2 + axis] - 1) * (shape.dilation[axis] + 1) + 1;
    const int64_t reached = (shape.result[2 + axis] - 1) * shape.stride[axis] + extent;
    pad_after[axis] = reached - shape.source[2 + axis] - shape.pad_before[axis];
  }
  const dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, any(shape.source),
      any(shape.weights), bias, any(shape.result), shape.stride, shape.dilation, shape.pad_before,
      pad_after);
  return {desc, cpu()};
}

}  // namespace

void conv2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output) {
  run_onednn("conv2d", [&] {
    const ConvolutionShape shape = convolution_shape(attrs, inputs, output);
    const auto primitive = describe(shape);
    dnnl::stream stream(cpu());
    const auto weights_tag =
        attrs.groups > 1 ? memory::format_tag::goihw : memory::format_tag::oihw;
    std::unordered_map<int, memory> args;
    args[DNNL_ARG_SRC] = in_layout(wrap(inputs[0], shape.source, memory::format_tag::nchw),
                                   primitive.src_desc(), stream);
    args[DNNL_ARG_WEIGHTS] =
        in_layout(wrap(inputs[1], shape.weights, weights_tag), primitive.weights_desc(), stream);
    if (shape.has_bias) args[DNNL_ARG_BIAS] = wrap(inputs[2], shape.bias, memory::format_tag::x);
    output.mutable_bytes();
    memory plain = wrap(output, shape.result, memory::format_tag::nchw);
    const bool direct = plain.get_desc() == primitive.dst_desc();
    memory result = direct ? plain : memory(primitive.dst_desc(), cpu());
    args[DNNL_ARG_DST] = result;
    dnnl::convolution_forward(primitive).execute(stream, args);
    if (!direct) dnnl::reorder(result, plain).execute(stream, result, plain);
    stream.wait();
  });
}

void dense(const OpAttrs&, const Operands& inputs, Tensor& output) {
  run_onednn("dense", [&] {
    dnnl::stream stream(cpu());
    output.mutable_bytes();
    memory source = wrap(inputs[0], inputs[0].shape(), memory::format_tag::nc);
    memory weights = wrap(inputs[1], inputs[1].shape(), memory::format_tag::oi);
    memory result = wrap(output, output.shape(), memory::format_tag::nc);
    std::unordered_map<int, memory> args = {
        {DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, result}};
    memory::desc bias_desc;
    if (inputs.size() == 3) {
      args[DNNL_ARG_BIAS] = wrap(inputs[2], inputs[2].shape(), memory::format_tag::x);
      bias_desc = args[DNNL_ARG_BIAS].get_desc();
    }
    const dnnl::inner_product_forward::desc desc(dnnl::prop_kind::forward_inference,
                                                 source.get_desc(), weights.get_desc(), bias_desc,
                                                 result.get_desc());
    dnnl::inner_product_forward({desc, cpu()}).execute(stream, args);
    stream.wait();
  });
}

}  // namespace vta::host
