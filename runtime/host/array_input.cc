// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/array_input.h"

#include <algorithm>
#include <cmath>

#include "base/errors/error.h"

namespace vta::host {
namespace {

// The array of an .npy has no name.
std::string array_text(const std::string& name) {
  return name.empty() ? "the array" : fmt::format("array '{}'", name);
}

std::vector<float> finite_floats(const NamedArray& array, const std::string& name) {
  std::vector<float> values = array.to_floats();
  const auto wrong = std::ranges::find_if_not(values, [](float x) { return std::isfinite(x); });
  if (wrong != values.end()) {
    fail(ErrorCode::kInvalidArgument, "element {} of {} is {} in fp32, expected a finite number",
         wrong - values.begin(), array_text(name), *wrong);
  }
  return values;
}

std::vector<int32_t> integers(const NamedArray& array, const std::string& name) {
  const std::vector<int64_t> values = array.to_integers();
  const auto wrong = std::ranges::find_if(values, [](int64_t x) { return x != int32_t(x); });
  if (wrong != values.end()) {
    fail(ErrorCode::kInvalidArgument, "element {} of {} is {}, beyond 32 bits",
         wrong - values.begin(), array_text(name), *wrong);
  }
  return {values.begin(), values.end()};
}

template <typename T>
std::vector<Tensor> rows_of(const std::vector<T>& values, const TensorType& type) {
  std::vector<Tensor> rows;
  for (auto at = values.begin(); at != values.end(); at += type.num_elems())
    std::copy_n(at, type.num_elems(), rows.emplace_back(type).template mutable_data<T>().begin());
  return rows;
}

}  // namespace

int64_t count_inputs(const NamedArray& header, const std::string& name, const TensorType& type) {
  const bool fits = header.shape.size() == type.shape.size() && header.shape.at(0) >= 1 &&
                    header.shape[0] % type.shape.at(0) == 0 &&
                    std::equal(type.shape.begin() + 1, type.shape.end(), header.shape.begin() + 1);
  if (!fits) {
    fail(ErrorCode::kInvalidArgument, "{} is {}, the network's input is {}", array_text(name),
         header.type_text(), to_string(type));
  }
  if (type.dtype == DType::kInt32 && header.is_floating()) {
    fail(ErrorCode::kInvalidArgument, "{} is {}, the network's input is int32", array_text(name),
         header.type_text());
  }
  return header.shape[0] / type.shape[0];
}

std::vector<Tensor> array_inputs(const NamedArray& array, const std::string& name,
                                 const TensorType& type) {
  count_inputs(array, name, type);
  if (type.dtype == DType::kInt32) return rows_of(integers(array, name), type);
  return rows_of(finite_floats(array, name), type);
}

}  // namespace vta::host
