// SPDX-License-Identifier: Apache-2.0
//
// Operators, by kind and attributes: shared by the graph, program files and host operators.
#ifndef VTA_RUNTIME_TENSOR_OP_H_
#define VTA_RUNTIME_TENSOR_OP_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta {

enum class OpKind {
#define VTA_OP(kind, name, min_inputs, max_inputs, infer, ...) kind,
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

// Attributes, by name: axis has the member `axis`.
namespace attr {
using Pair = std::array<int64_t, 2>;
using Quad = std::array<int64_t, 4>;
using Numbers = std::array<double, 2>;
using List = std::vector<int64_t>;
struct None {
  bool operator==(const None&) const = default;
};
#define VTA_ATTRIBUTE(type, name, ...)                   \
  struct name {                                          \
    bool operator==(const struct name&) const = default; \
    type name = __VA_ARGS__;                             \
  };
#include "runtime/tensor/attributes.def"
}  // namespace attr

// A struct of these attributes only: to name another one does not compile.
template <typename... A>
struct AttrList : A... {
  AttrList() = default;
  // Those given, and defaults: Attrs<OpKind::kGather>(attr::axis{0}).
  template <typename... Given>
    requires(sizeof...(Given) > 0 && (std::is_base_of_v<Given, AttrList> && ...))
  explicit AttrList(Given... given) {
    ((static_cast<Given&>(*this) = std::move(given)), ...);
  }
  // From a list that has all of these, or some of them only; the others keep their defaults.
  template <typename... B>
    requires((std::is_base_of_v<A, AttrList<B...>> && ...) ||
             (std::is_base_of_v<B, AttrList> && ...))
  AttrList(const AttrList<B...>& other) {  // NOLINT(google-explicit-constructor)
    const auto copy = [&]<typename One>(One& to) {
      if constexpr (std::is_base_of_v<One, AttrList<B...>>) to = static_cast<const One&>(other);
    };
    (copy(static_cast<A&>(*this)), ...);
  }
  bool operator==(const AttrList&) const = default;
};

// The attributes of any operator.
struct OpAttrs : AttrList<attr::None
#define VTA_ATTRIBUTE(type, name, ...) , attr::name
#include "runtime/tensor/attributes.def"
                          > {
  using AttrList::AttrList;
};

using NoAttrs = AttrList<>;
using WindowAttrs = AttrList<attr::kernel, attr::stride, attr::pad, attr::dilation>;

// The attributes of one operator, as ops.def lists them. Operators with the same list share a type.
namespace attr {
template <OpKind kKind>
struct Of;
#define VTA_OP(kind, name, min_inputs, max_inputs, infer, ...) \
  template <>                                                  \
  struct Of<OpKind::kind> {                                    \
    using Type = AttrList<__VA_ARGS__>;                        \
  };
#include "runtime/tensor/ops.def"
}  // namespace attr
template <OpKind kKind>
using Attrs = typename attr::Of<kKind>::Type;

// With the defaults of those that `kind` does not have.
OpAttrs attrs_for(OpKind kind, const OpAttrs& attrs);

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
