// SPDX-License-Identifier: Apache-2.0
//
// Operators by kind and attributes: the words that graph, program file and host operators share.
#ifndef VTA_RUNTIME_TENSOR_OP_H_
#define VTA_RUNTIME_TENSOR_OP_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta {

enum class OpKind {
#define VTA_OP(kind, name, min_inputs, max_inputs) kind,
#include "runtime/tensor/ops.def"
};

const char* to_string(OpKind kind);                   // "conv2d"
OpKind op_kind_from_string(const std::string& text);  // Errors: kUnsupported, naming the operator
int min_inputs(OpKind kind);
int max_inputs(OpKind kind);

// The attributes of every operator; each uses those that ops.def lists for it, the others keep
// their defaults.
struct OpAttrs {
  std::array<int64_t, 2> kernel = {1, 1};     // kh, kw
  std::array<int64_t, 2> stride = {1, 1};     // sh, sw
  std::array<int64_t, 4> pad = {0, 0, 0, 0};  // top, left, bottom, right
  std::array<int64_t, 2> dilation = {1, 1};
  int64_t groups = 1;
  bool ceil_mode = false;
  bool count_include_pad = false;
  double epsilon = 1e-5;
  double lo = 0, hi = 0;                  // of clip; of the integer operators: -127 or 0, and 127
  std::vector<int64_t> begin, end, step;  // strided_slice
  std::vector<int64_t> before, after;     // pad
  int64_t frac_bits = 0;
  double divisor = 1;
  int64_t shift = 0, shift_a = 0, shift_b = 0;
  bool relu = false;
  int64_t index = 0;  // of input and constant

  bool operator==(const OpAttrs&) const = default;
};

// The attributes that `kind` uses, by name.
std::vector<std::string> attr_names(OpKind kind);

// The attributes that `kind` uses, as text: "{kernel = [3, 3], pad = [1, 1, 1, 1]}"; those with
// default values are left out, "" if none is left.
std::string to_string(OpKind kind, const OpAttrs& attrs);

// The inverse. Errors: kInvalidArgument for an attribute that `kind` does not have, naming both.
OpAttrs attrs_from_string(OpKind kind, const std::string& text);

// The type of the result. No tensor has more than 8 axes or 2^31 - 1 elements, no window attribute
// is above 65536; pooling pads less than its kernel. In ceil_mode a partial last window counts if
// it starts inside the input or the padding before it.
// Errors: kInvalidArgument, naming the input, its shape and what was expected. Input and constant
// have no operands: their type is the caller's to know, and asking here is an error too.
TensorType infer_type(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_OP_H_
