// SPDX-License-Identifier: Apache-2.0
//
// The implementation of infer_type(): the operands, one rule per operator or group of operators,
// and the checks that rules share. All sizes are below 2^31, so the product of two fits int64_t.
#ifndef VTA_RUNTIME_TENSOR_INFERENCE_H_
#define VTA_RUNTIME_TENSOR_INFERENCE_H_

#include <initializer_list>
#include <string>
#include <vector>

#include "runtime/tensor/op.h"

namespace vta {

class Inference {
 public:
  // In a graph, sizes are those of the types and at least 1; in a run, those of the run.
  enum class Sizes { kOfGraph, kOfRun };

  Inference(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs,
            Sizes sizes = Sizes::kOfGraph)
      : kind_(kind), attrs_(attrs), inputs_(inputs), sizes_(sizes) {}

  // The operands must not have open axes.
  TensorType run() const;

 private:
  static constexpr int64_t kMaxElems = (int64_t{1} << 31) - 1;  // of a tensor, and of each axis
  static constexpr int64_t kMaxWindow = 1 << 16;                // of kernel, stride, pad, dilation
  static constexpr int64_t kMaxShift = 31;                      // of an int32
  static constexpr int64_t kMaxFactor = 32767;                  // of the ALU's immediate
  static constexpr int64_t kMaxGatedProduct = (int64_t{1} << 30) - 1;
  static constexpr int64_t kMaxFracBits = 126;  // 2^126 and 2^-126 are normal float32
  static constexpr size_t kMaxRank = 8;

  using Rule = TensorType (Inference::*)() const;
  static const Rule kRules[];  // by OpKind: column `infer` of ops.def

  // infer_type.cc
  TensorType infer() const;
  bool in_run() const { return sizes_ == Sizes::kOfRun; }
  void check_inputs() const;
  void check_size(const std::string& what, const std::vector<int64_t>& shape) const;
  [[noreturn]] void refuse(size_t input, const std::string& expectation) const;
  void need_rank(size_t input, size_t rank, const char* expectation) const;
  void need_dtype(size_t input, std::initializer_list<DType> allowed) const;
  void need_shape(size_t input, const std::vector<int64_t>& shape, const char* meaning) const;
  void need_range(const char* attr, int64_t value, int64_t low, int64_t high) const;
  void need_list(const char* attr, const std::vector<int64_t>& list) const;
  void need_finite(const char* attr, double value) const;
  void need_positive(const char* attr, double value) const;
  size_t need_axis(const char* attr, int64_t axis) const;  // returns it counted from the front
  void need_bytes() const;
  void need_requantization() const;
  void need_levels() const;  // unit, zero, result_zero

  // infer_elements.cc
  TensorType source() const;       // always an error: the caller knows the type of a source
  TensorType elementwise() const;  // one float32 operand
  TensorType function_of_alpha() const;
  TensorType hard_sigmoid() const;
  TensorType softmax() const;
  std::vector<int64_t> broadcast_shape(std::vector<int64_t> a, std::vector<int64_t> b) const;
  TensorType broadcast(DType element) const;  // two operands
  TensorType arithmetic() const;
  TensorType qadd() const;
  TensorType qmul() const;
  TensorType batch_norm() const;
  TensorType clip() const;
  TensorType prelu() const;
  TensorType lrn() const;
  TensorType reduced() const;
  TensorType reduce_mean() const;
  TensorType arg_max() const;
  TensorType lookup() const;
  TensorType quantize() const;
  TensorType dequantize() const;

  // infer_indexed.cc
  void need_number(size_t input) const;   // float32 or int32
  void need_indices(size_t input) const;  // int32
  TensorType unary() const;
  TensorType binary() const;
  TensorType cast() const;
  TensorType reduce() const;
  TensorType cumulative() const;
  TensorType top_k() const;
  TensorType iota() const;
  TensorType non_zero() const;
  TensorType unique() const;
  TensorType non_max_suppression() const;
  TensorType compress() const;
  TensorType shape_of() const;
  TensorType where() const;
  TensorType tile() const;
  TensorType broadcast_to() const;
  TensorType gather() const;
  TensorType gather_elements() const;
  TensorType gather_nd() const;
  void need_reduction() const;
  TensorType scatter_elements() const;
  TensorType scatter_nd() const;

  // infer_products.cc
  void need_window() const;
  void need_groups(DType element, const char* weights) const;
  void need_bias(DType bias, int64_t out_channels) const;
  TensorType convolution(DType element, DType bias) const;
  TensorType conv2d() const;
  TensorType qconv2d() const;
  TensorType transposed_convolution(DType element, DType bias) const;
  TensorType conv2d_transpose() const;
  TensorType qconv2d_transpose() const;
  TensorType dense_layer(DType element, DType bias) const;
  TensorType dense() const;
  TensorType qdense() const;
  TensorType matrix_product(DType element) const;
  TensorType matmul() const;
  TensorType qmatmul() const;

  // infer_windows.cc
  int64_t window_positions(size_t axis, bool ceil_mode) const;
  void need_element_in_every_window(size_t axis) const;
  TensorType pool() const;
  TensorType avg_pool() const;
  TensorType max_pool() const;
  TensorType qavg_pool() const;
  TensorType global_pool(DType result) const;
  TensorType global_max_pool() const;
  TensorType global_avg_pool() const;
  TensorType global_sum_pool() const;
  TensorType resize2d() const;
  TensorType unfold2d() const;

  // infer_movement.cc
  TensorType flatten() const;
  TensorType reshape() const;
  int64_t run_size(size_t open) const;
  TensorType transpose() const;
  TensorType concat() const;
  bool is_clamped(size_t axis) const;
  int64_t clamped_size(size_t axis) const;
  TensorType strided_slice() const;
  void need_pad_value() const;
  TensorType pad() const;
  TensorType depth_to_space() const;

  OpKind kind_;
  const OpAttrs& attrs_;
  const std::vector<TensorType>& inputs_;
  const Sizes sizes_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_INFERENCE_H_
