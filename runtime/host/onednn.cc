// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/onednn.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>
#include <utility>

#include "runtime/host/onednn_version.h"

namespace vta::host {

using dnnl::memory;

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

namespace {

// Null if oneDNN was built without OpenMP. A program that has loaded libvta privately, as Python
// does, sees the runtime's symbols only through the runtime's handle.
void* openmp_function() {
  constexpr const char* kName = "omp_set_num_threads";
  if (void* function = dlsym(RTLD_DEFAULT, kName)) return function;
  void* runtime = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  return runtime == nullptr ? nullptr : dlsym(runtime, kName);
}

}  // namespace

void use_threads(int count) {
  using SetNumThreads = void (*)(int);
  static const auto set_num_threads = reinterpret_cast<SetNumThreads>(openmp_function());
  if (set_num_threads != nullptr) set_num_threads(count);
}

memory wrap(const Tensor& tensor, const memory::dims& dims, memory::format_tag tag) {
  return {memory::desc(dims, kFloat, tag), cpu(), const_cast<uint8_t*>(tensor.bytes().data())};
}

memory::desc plain_layout(const memory::dims& dims) {
  memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * dims[i + 1];
  return {dims, kFloat, strides};
}

memory::desc any_layout(const memory::dims& dims) {
  return {dims, kFloat, memory::format_tag::any};
}

memory in_layout(memory source, const memory::desc& wanted, dnnl::stream& stream) {
  if (source.get_desc() == wanted) return source;
  memory copy(wanted, cpu());
  dnnl::reorder(source, copy).execute(stream, source, copy);
  return copy;
}

namespace {

// The padding after the image may exceed what the windows reach; oneDNN requires exactly what they
// reach.
int64_t reached_padding(const ProductShape& shape, size_t axis) {
  const size_t kernel_axis = shape.weights.size() - 2 + axis;
  const int64_t extent = (shape.weights[kernel_axis] - 1) * (shape.dilation[axis] + 1) + 1;
  const int64_t reached = (shape.result[2 + axis] - 1) * shape.stride[axis] + extent;
  return reached - shape.source[2 + axis] - shape.pad_before[axis];
}

void set_weights(OpKind kind, const OpAttrs& attrs, const std::vector<int64_t>& w,
                 ProductShape& shape) {
  const bool grouped = attrs.groups > 1, transposed = kind == OpKind::kConv2dTranspose;
  const int64_t g = attrs.groups;
  if (transposed) {  // [ic, oc / groups, kh, kw], but oneDNN's dims begin with the output channels
    shape.weights = {w[1], w[0], w[2], w[3]};
    if (grouped) shape.weights = {g, w[1], w[0] / g, w[2], w[3]};
    shape.weights_tag = grouped ? memory::format_tag::giohw : memory::format_tag::iohw;
  } else {
    shape.weights = w;
    if (grouped) shape.weights = {g, w[0] / g, w[1], w[2], w[3]};
    shape.weights_tag = grouped ? memory::format_tag::goihw : memory::format_tag::oihw;
  }
}

}  // namespace

ProductShape product_shape(OpKind kind, const OpAttrs& attrs, const TensorType& source,
                           const TensorType& weights, const TensorType& result) {
  ProductShape shape;
  shape.source = source.shape;
  shape.result = result.shape;
  shape.bias = {result.shape[1]};
  if (kind == OpKind::kDense) {
    shape.weights = weights.shape;
    shape.weights_tag = memory::format_tag::oi;
    return shape;
  }
  set_weights(kind, attrs, weights.shape, shape);
  shape.stride = {attrs.stride[0], attrs.stride[1]};
  shape.dilation = {attrs.dilation[0] - 1, attrs.dilation[1] - 1};
  shape.pad_before = {attrs.pad[0], attrs.pad[1]};
  for (size_t axis = 0; axis < 2; ++axis) {
    shape.pad_after.push_back(kind == OpKind::kConv2dTranspose
                                  ? attrs.pad[axis + 2] - attrs.output_pad[axis]
                                  : reached_padding(shape, axis));
  }
  return shape;
}

bool is_supported(const ProductShape& shape) {
  for (size_t axis = 0; axis < shape.pad_after.size(); ++axis) {
    if (shape.pad_after[axis] <= -shape.stride[axis]) return false;
  }
  return true;
}

bool has_window_of_padding(const ProductShape& shape) {
  for (size_t axis = 0; axis < shape.stride.size(); ++axis) {
    const int64_t taps = shape.weights[shape.weights.size() - 2 + axis];
    const int64_t dilation = shape.dilation[axis] + 1;
    for (int64_t i = 0; i < shape.result[2 + axis]; ++i) {
      const int64_t start = i * shape.stride[axis] - shape.pad_before[axis];
      // The first tap that is not in the padding before the source.
      const int64_t tap = start < 0 ? (-start + dilation - 1) / dilation : 0;
      if (tap >= taps || start + tap * dilation >= shape.source[2 + axis]) return true;
    }
  }
  return false;
}

namespace {

// Convolutions that crash brgemm of oneDNN 3.7.2 or that it computes wrongly (found with random
// shapes; the causes are not known).
bool needs_other_than_brgemm(const ProductShape& shape) {
  const int64_t channels = shape.weights[shape.weights.size() - 3];  // of a group
  const bool is_column = channels == 1 && shape.result[3] == 1 && shape.stride[1] > 1;
  return has_window_of_padding(shape) || is_column;
}

// A convolution or a transposed one.
template <typename Primitive>
typename Primitive::primitive_desc describe_windows(dnnl::algorithm algorithm,
                                                    const ProductShape& shape,
                                                    const memory::desc& bias,
                                                    const memory::desc& result,
                                                    const dnnl::primitive_attr& attr) {
  return describe<Primitive>(attr, dnnl::prop_kind::forward_inference, algorithm,
                             any_layout(shape.source), any_layout(shape.weights), bias, result,
                             shape.stride, shape.dilation, shape.pad_before, shape.pad_after);
}

}  // namespace

dnnl::convolution_forward::primitive_desc describe_convolution(const ProductShape& shape,
                                                               const memory::desc& bias,
                                                               const memory::desc& result,
                                                               const dnnl::primitive_attr& attr) {
  auto primitive = describe_windows<dnnl::convolution_forward>(dnnl::algorithm::convolution_direct,
                                                               shape, bias, result, attr);
  if (needs_other_than_brgemm(shape)) skip_brgemm(primitive);
  return primitive;
}

dnnl::deconvolution_forward::primitive_desc describe_transposed(const ProductShape& shape,
                                                                const memory::desc& bias,
                                                                const memory::desc& result,
                                                                const dnnl::primitive_attr& attr) {
  return describe_windows<dnnl::deconvolution_forward>(dnnl::algorithm::deconvolution_direct, shape,
                                                       bias, result, attr);
}

dnnl::inner_product_forward::primitive_desc describe_dense(const ProductShape& shape,
                                                           const memory::desc& bias,
                                                           const memory::desc& result,
                                                           const dnnl::primitive_attr& attr) {
  return describe<dnnl::inner_product_forward>(attr, dnnl::prop_kind::forward_inference,
                                               any_layout(shape.source), any_layout(shape.weights),
                                               bias, result);
}

namespace {

// `names`: a letter for each axis.
std::string layout_text(const dnnl::memory::desc& layout, const std::string& names) {
  const Blocking blocking = blocking_of(layout);
  const size_t rank = blocking.strides.size();
  std::vector<size_t> axes(rank);
  std::iota(axes.begin(), axes.end(), size_t{0});
  // Axes of size 1 may have the stride of the next axis: then in their order.
  std::ranges::sort(axes, [&](size_t a, size_t b) {
    return std::pair(blocking.strides[b], a) < std::pair(blocking.strides[a], b);
  });
  std::string text;
  for (const size_t axis : axes) {
    const bool is_blocked = std::ranges::count(blocking.block_axes, static_cast<int64_t>(axis)) > 0;
    const char name = names.at(axis);
    text += is_blocked ? static_cast<char>(std::toupper(name)) : name;
  }
  for (size_t i = 0; i < blocking.block_sizes.size(); ++i)
    text += fmt::format("{}{}", blocking.block_sizes[i],
                        names.at(static_cast<size_t>(blocking.block_axes[i])));
  return text;
}

}  // namespace

std::string layout_text(const dnnl::memory::desc& layout) {
  const size_t rank = blocking_of(layout).strides.size();
  return layout_text(layout, rank == 4 ? "nchw" : rank == 2 ? "nc" : "abcdefghijkl");
}

std::string weight_layout_text(const dnnl::memory::desc& layout) {
  return layout_text(layout, blocking_of(layout).strides.size() == 5 ? "goihw" : "oihw");
}

}  // namespace vta::host
