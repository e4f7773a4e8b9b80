// SPDX-License-Identifier: Apache-2.0
//
// Array: a constant tensor during import.
#ifndef VTA_COMPILER_ONNX_ARRAY_H_
#define VTA_COMPILER_ONNX_ARRAY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/onnx/element_type.h"
#include "runtime/tensor/tensor.h"

namespace vta::onnx {

using Dims = std::vector<int64_t>;

// The number of elements of a tensor with these dimensions; [] is a scalar.
// Errors: kCorrupt for a negative dimension or more than 2^31 - 1 elements.
int64_t num_elems(const Dims& dims);

// Floating-point elements are stored as float32 (exact for float16 and bfloat16, rounded for
// double), all others as int64 (larger uint64 are errors when they are read).
struct Array {
  ElementType type = ElementType::kFloat;
  Dims dims;                  // [] is a scalar; dimensions of 0 are allowed
  std::vector<float> floats;  // if is_floating(type)
  std::vector<int64_t> ints;  // if not

  bool is_float() const { return is_floating(type); }
  int64_t size() const { return static_cast<int64_t>(is_float() ? floats.size() : ints.size()); }
  double at(int64_t index) const {
    const auto i = static_cast<size_t>(index);
    return is_float() ? static_cast<double>(floats.at(i)) : static_cast<double>(ints.at(i));
  }
};

Array integers(Dims dims, std::vector<int64_t> values);  // of type int64

// "float[3, 4]"
std::string to_string(const Array& array);
std::string type_text(ElementType type, const Dims& dims);

// The constant of the graph: float32 elements, a scalar as [1]. Asserts that there are elements.
Tensor to_tensor(const Array& array);
// Integers of more than 16 bits are int32 in the graph. Errors: kUnsupported for larger ones.
Tensor int32_tensor(const Array& array);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_ARRAY_H_
