// SPDX-License-Identifier: Apache-2.0
//
// Operators, by kind and attributes: shared by the graph, program files and host operators.
#ifndef VTA_RUNTIME_TENSOR_OP_H_
#define VTA_RUNTIME_TENSOR_OP_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta {

enum class OpKind {
#define VTA_OP(kind, name, min_inputs, max_inputs, attributes, infer) kind,
#include "runtime/tensor/ops.def"
};

const char* to_string(OpKind kind);                   // "conv2d"
OpKind op_kind_from_string(const std::string& text);  // Errors: kUnsupported, naming the operator
int min_inputs(OpKind kind);
int max_inputs(OpKind kind);

// Enumerated attributes. Their text form is the name below: "half_pixel".
enum class PadMode { kConstant, kReflect, kEdge };
enum class ResizeMode { kNearest, kLinear, kCubic };
// The source coordinate of result pixel i, with scale = out / in unless given:
//   half_pixel            (i + 0.5) / scale - 0.5
//   asymmetric            i / scale
//   align_corners         i * (in - 1) / (in * scale - 1); in * scale is not rounded
//   pytorch_half_pixel    as half_pixel, but 0 if out is 1
//   half_pixel_symmetric  as half_pixel, moved so that a fractional in * scale stays centred
enum class Coordinates {
  kHalfPixel,
  kAsymmetric,
  kAlignCorners,
  kPytorchHalfPixel,
  kHalfPixelSymmetric
};
// How nearest rounds a coordinate to a pixel.
enum class Rounding { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil };

// Functions of unary, binary, reduce and cast: functions.def.
enum class UnaryFunction {
#define VTA_UNARY(kind, name, expression) kind,
#include "runtime/tensor/functions.def"
};
enum class BinaryFunction {
#define VTA_BINARY(kind, name, expression) kind,
#define VTA_COMPARISON(kind, name, expression) kind,
#include "runtime/tensor/functions.def"
};
enum class Reduction {
#define VTA_REDUCTION(kind, name, before, combined, after) kind,
#include "runtime/tensor/functions.def"
};
enum class Format {
#define VTA_FLOAT_FORMAT(kind, name, precision, lowest, largest, has_infinity) kind,
#define VTA_INTEGER_FORMAT(kind, name, low, high, wraps) kind,
#include "runtime/tensor/functions.def"
};

// What unique tells of the distinct elements, or of each element: the position of its first
// occurrence, the number of its distinct element, how often it occurs.
enum class UniquePart { kFirst, kInverse, kCount };

const char* to_string(PadMode value);         // "constant", ...
const char* to_string(ResizeMode value);      // "nearest", ...
const char* to_string(Coordinates value);     // "half_pixel", ...
const char* to_string(Rounding value);        // "round_prefer_floor", ...
const char* to_string(UnaryFunction value);   // "negative", ...
const char* to_string(BinaryFunction value);  // "add", ...
const char* to_string(Reduction value);       // "sum", ...
const char* to_string(Format value);          // "float16", ...
const char* to_string(UniquePart value);      // "first", ...
bool is_comparison(BinaryFunction function);
bool has_integer_result(Reduction reduction);  // of integers
bool is_int32(Format format);  // in the graph: int32 or uint31; the others are float32

// The inverse of to_string(). Errors: kInvalidArgument, naming the choices.
template <typename Choice>
Choice choice_from_string(const std::string& text);

// The attributes of all operators. An operator uses the attributes that ops.def lists for it; the
// others keep their defaults.
struct OpAttrs {
  std::array<int64_t, 2> kernel = {1, 1};     // kh, kw
  std::array<int64_t, 2> stride = {1, 1};     // sh, sw
  std::array<int64_t, 4> pad = {0, 0, 0, 0};  // top, left, bottom, right
  std::array<int64_t, 2> dilation = {1, 1};
  int64_t groups = 1;
  std::array<int64_t, 2> output_pad = {0, 0};  // below, right
  bool ceil_mode = false;
  bool count_include_pad = false;
  double epsilon = 1e-5;
  double lo = 0, hi = 0;                 // clip; integer operators: -127 or 0, and 127
  double alpha = 0, beta = 0, bias = 1;  // leaky_relu, hard_sigmoid, lrn
  int64_t size = 1;                      // lrn
  int64_t axis = -1;                     // softmax, arg_max, concat
  std::vector<int64_t> axes;             // reduce_mean, reduce
  bool keep_dims = true;                 // reduced axes remain, with size 1
  bool select_last = false;              // arg_max
  UnaryFunction function = UnaryFunction::kNegative;
  BinaryFunction operation = BinaryFunction::kAdd;
  Reduction reduction = Reduction::kLast;
  Format format = Format::kFloat32;      // cast
  int64_t batch_axes = 0;                // gather_nd
  bool smallest = false;                 // top_k
  bool sorted = true;                    // unique
  UniquePart part = UniquePart::kFirst;  // unique
  // non_max_suppression; without a min_score, the lowest number of double
  double max_overlap = 0, min_score = std::numeric_limits<double>::lowest();
  bool center = false;
  // Axes whose attributes give bounds, which a run replaces: of reshape, one axis of the result; of
  // strided_slice, the open axes of the operand (infer_open_axes.cc).
  std::vector<int64_t> open_axes;
  bool exclusive = false, reverse = false;  // cumulative
  std::vector<int64_t> repeats;             // tile
  std::vector<int64_t> shape;               // reshape
  std::vector<int64_t> perm;                // transpose
  std::vector<int64_t> begin, end, step;    // strided_slice
  std::vector<int64_t> before, after;       // pad
  double pad_value = 0;                     // for integers: a value of the element type
  PadMode pad_mode = PadMode::kConstant;
  int64_t block = 1;  // depth_to_space
  bool crd = false;
  std::array<int64_t, 2> out = {0, 0};   // resize2d: h, w
  std::array<double, 2> scale = {0, 0};  // sh, sw of resize2d; 0: out / in
  ResizeMode resize_mode = ResizeMode::kNearest;
  Coordinates coordinates = Coordinates::kHalfPixel;
  Rounding rounding = Rounding::kRoundPreferFloor;
  double cubic_a = -0.75;
  // Cubic: pixels outside the source get weight 0, and the other weights are renormalized.
  bool exclude_outside = false;
  int64_t frac_bits = 0;
  double unit = 0;  // real value of a level; 0: 2^-frac_bits
  int64_t zero = 0,
          result_zero = 0;  // the level of 0.0, of an operand (of quantize's result); of a result
  double divisor = 1;
  int64_t shift = 0, shift_a = 0, shift_b = 0;
  // Free scales: integer operators multiply before they shift.
  bool scaled = false;
  int64_t pre_shift = 0;
  int64_t factor_a = 0, factor_b = 0, addend = 0;  // qadd, qmul, qmatmul
  int64_t gate = 0;                                // qmul; 0: none
  double ratio = 0;                                // qavg_pool2d; 0: 2^-shift
  bool relu = false;
  int64_t leak = 0, leak_shift = 0;  // of integer operators: leak.h
  int64_t products = 0;              // qconv2d
  int64_t index = 0;                 // of input and constant

  bool operator==(const OpAttrs&) const = default;
};

// The attributes that `kind` uses, by name.
std::vector<std::string> attr_names(OpKind kind);

// The attributes of `kind` that differ from their defaults, as text: "{kernel = [3, 3], pad = [1,
// 1, 1, 1]}"; "" if none does.
std::string to_string(OpKind kind, const OpAttrs& attrs);

// The inverse. Errors: kInvalidArgument for malformed text or an attribute that `kind` does not
// have.
OpAttrs attrs_from_string(OpKind kind, const std::string& text);

// The type of the result in a graph. Limits: 8 axes and 2^31 - 1 elements per tensor, 65536 for a
// window attribute. Every window of a pool must contain an element of the input. In ceil_mode a
// partial last window counts if it starts inside the input or its leading padding. Errors:
// kInvalidArgument, naming the input, its shape and the expectation; also for input and constant,
// which have no operands to infer a type from.
//
// Open axes: results of iota, broadcast_to, non_zero, compress, unique, non_max_suppression, and
// top_k with a size of the run have some, and so have the results of the operators that take them
// (infer_open_axes.cc). Every other operator with such an operand is an error, kUnsupported.
TensorType infer_type(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs);

// The same in a run: the operands have the sizes of the run, which may be 0 for operators that take
// open axes. The result is exact, except that operators whose own result is open fill in its size.
TensorType infer_run_type(OpKind kind, const OpAttrs& attrs, const std::vector<TensorType>& inputs);

// Whether the operator takes operands with open axes, in general.
bool takes_open_axes(OpKind kind);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_OP_H_
