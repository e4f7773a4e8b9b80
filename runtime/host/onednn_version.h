// SPDX-License-Identifier: Apache-2.0
//
// The differences between oneDNN 2 (Debian 11, for wheels, and 12) and oneDNN 3 (Debian 13). No
// other file depends on the version. oneDNN 2 describes an operation in a `desc`, from which it
// makes the description of a primitive; oneDNN 3 takes the same arguments without that step, the
// engine first.
#ifndef VTA_RUNTIME_HOST_ONEDNN_VERSION_H_
#define VTA_RUNTIME_HOST_ONEDNN_VERSION_H_

#include <string_view>
#include <vector>

#include "runtime/host/onednn.h"

// oneDNN 2.0 of Debian 11 has none; this project's own loop computes it.
#define VTA_ONEDNN_HAS_HARD_SWISH (DNNL_VERSION_MAJOR >= 3 || DNNL_VERSION_MINOR >= 6)

namespace vta::host {

// A primitive's description, from the arguments that both versions take.
template <typename Primitive, typename... Arguments>
typename Primitive::primitive_desc describe(const dnnl::primitive_attr& attr,
                                            const Arguments&... arguments) {
#if DNNL_VERSION_MAJOR >= 3
  return {cpu(), arguments..., attr};
#else
  return {typename Primitive::desc(arguments...), attr, cpu()};
#endif
}

// Chooses an implementation without brgemm. That of oneDNN 2 is right except for what fusion.cc
// avoids.
template <typename Description>
void skip_brgemm([[maybe_unused]] Description& primitive) {
#if DNNL_VERSION_MAJOR >= 3
  const auto is_brgemm = [&] {
    return std::string_view(primitive.impl_info_str()).find("brg") != std::string_view::npos;
  };
  while (is_brgemm() && primitive.next_impl()) {
  }
#endif
}

// An element-wise function; the result has the operand's layout.
inline dnnl::eltwise_forward::primitive_desc describe_eltwise(dnnl::algorithm algorithm,
                                                              const dnnl::memory::desc& layout,
                                                              float alpha, float beta) {
  constexpr auto kInference = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
  return {cpu(), kInference, algorithm, layout, layout, alpha, beta};
#else
  return describe<dnnl::eltwise_forward>({}, kInference, algorithm, layout, alpha, beta);
#endif
}

// Normalization across channels; the result has the operand's layout.
inline dnnl::lrn_forward::primitive_desc describe_lrn(const dnnl::memory::desc& layout,
                                                      int64_t size, float alpha, float beta,
                                                      float bias) {
  constexpr auto kInference = dnnl::prop_kind::forward_inference;
  constexpr auto kAcrossChannels = dnnl::algorithm::lrn_across_channels;
#if DNNL_VERSION_MAJOR >= 3
  return {cpu(), kInference, kAcrossChannels, layout, layout, size, alpha, beta, bias};
#else
  return describe<dnnl::lrn_forward>({}, kInference, kAcrossChannels, layout, size, alpha, beta,
                                     bias);
#endif
}

// A pooling without dilation.
inline dnnl::pooling_forward::primitive_desc describe_pooling(
    dnnl::algorithm algorithm, const dnnl::memory::desc& source, const dnnl::memory::desc& result,
    const dnnl::memory::dims& stride, const dnnl::memory::dims& kernel,
    const dnnl::memory::dims& pad_before, const dnnl::memory::dims& pad_after) {
  constexpr auto kInference = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::memory::dims dilation(kernel.size(), 0);
  return {cpu(),  kInference, algorithm, source,     result,
          stride, kernel,     dilation,  pad_before, pad_after};
#else
  return describe<dnnl::pooling_forward>({}, kInference, algorithm, source, result, stride, kernel,
                                         pad_before, pad_after);
#endif
}

// A blocked layout: the distance of consecutive elements of each axis, and the inner blocks from
// the outermost.
struct Blocking {
  std::vector<int64_t> strides, block_sizes, block_axes;
};
inline Blocking blocking_of(const dnnl::memory::desc& layout) {
#if DNNL_VERSION_MAJOR >= 3
  return {layout.get_strides(), layout.get_inner_blks(), layout.get_inner_idxs()};
#else
  const dnnl_blocking_desc_t& blocks = layout.data.format_desc.blocking;
  return {{blocks.strides, blocks.strides + layout.data.ndims},
          {blocks.inner_blks, blocks.inner_blks + blocks.inner_nblks},
          {blocks.inner_idxs, blocks.inner_idxs + blocks.inner_nblks}};
#endif
}

inline dnnl::concat::primitive_desc describe_concat(
    int axis, const std::vector<dnnl::memory::desc>& sources) {
#if DNNL_VERSION_MAJOR >= 3
  return {cpu(), axis, sources};
#else
  return {axis, sources, cpu()};
#endif
}

inline void append_eltwise(dnnl::post_ops& operations, dnnl::algorithm algorithm, float alpha,
                           float beta) {
#if DNNL_VERSION_MAJOR >= 3
  operations.append_eltwise(algorithm, alpha, beta);
#else
  operations.append_eltwise(1, algorithm, alpha, beta);
#endif
}

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_ONEDNN_VERSION_H_
