// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/input_values.h"

#include <algorithm>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/numbers/parse_number.h"
#include "compiler/import/open_sizes.h"

namespace vta::import {
namespace {

constexpr const char* kOption = "--input-value";

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void append_float(const std::string& text, onnx::Array& array, const std::string& name) {
  const auto value = parse_number<float>(text);
  if (!value) {
    fail(ErrorCode::kInvalidArgument, "{} {}: expected a finite number, got '{}'", kOption, name,
         text);
  }
  array.floats.push_back(*value);
}

void append_integer(const std::string& text, onnx::Array& array, const std::string& name) {
  const bool is_bool = array.type == onnx::ElementType::kBool;
  const int64_t first = is_bool ? 0 : onnx::lowest(array.type);
  const int64_t last = is_bool ? 1 : onnx::highest(array.type);
  const auto value = parse_number<int64_t>(text);
  if (!value || *value < first || *value > last) {
    fail(ErrorCode::kInvalidArgument, "{} {}: expected an integer from {} to {} ({}), got '{}'",
         kOption, name, first, last, onnx::to_string(array.type), text);
  }
  array.ints.push_back(*value);
}

// The sizes of the constant: the declared ones; the only open axis gets the number of values.
onnx::Dims sizes_of(const onnx::ValueDef& input, int64_t count) {
  const std::string name = onnx::printable(input.name);
  onnx::Dims dims;
  const auto num_open = std::ranges::count_if(
      input.dims, [](const std::optional<int64_t>& size) { return !size.has_value(); });
  if (!input.has_shape || num_open > 1) {
    fail(ErrorCode::kInvalidArgument,
         "{} {}: the input has {}; give them with --input-shape {}=...", kOption, name,
         input.has_shape ? counted(num_open, "open axis") : "no shape", name);
  }
  for (const std::optional<int64_t>& size : input.dims) dims.push_back(size.value_or(1));
  const int64_t others = onnx::num_elems(dims);
  for (size_t axis = 0; axis < dims.size(); ++axis)
    if (!input.dims[axis] && others > 0 && count % others == 0) dims[axis] = count / others;
  return dims;
}

onnx::Array constant_of(const onnx::ValueDef& input, const std::string& text) {
  const std::string name = onnx::printable(input.name);
  onnx::Array array;
  array.type = input.type;
  if (!onnx::is_readable(input.type)) {
    fail(ErrorCode::kInvalidArgument, "{} {}: the input has element type {}", kOption, name,
         onnx::to_string(input.type));
  }
  const std::vector<std::string> parts = split_at_commas(text);
  for (const std::string& part : parts)
    array.is_float() ? append_float(part, array, name) : append_integer(part, array, name);
  array.dims = sizes_of(input, array.size());
  const int64_t wanted = onnx::num_elems(array.dims);
  if (array.size() != 1 && array.size() != wanted) {
    fail(ErrorCode::kInvalidArgument, "{} {}: expected 1 or {} values for {}, got {}", kOption,
         name, wanted, onnx::type_text(array.type, array.dims), array.size());
  }
  const auto elems = static_cast<size_t>(wanted);
  array.is_float() ? array.floats.resize(elems, array.floats[0])
                   : array.ints.resize(elems, array.ints[0]);
  return array;
}

}  // namespace

void set_input_values(onnx::Model& model, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const NamedText named = parse_named(text);
    if (named.name.empty()) {
      fail(ErrorCode::kInvalidArgument, "{}: expected NAME=VALUE, such as sr=16000, got '{}'",
           kOption, text);
    }
    const onnx::ValueDef& input = input_named(model, named.name, kOption);
    onnx::Array array = constant_of(input, named.value);
    if (model.inputs.size() == 1) {
      fail(ErrorCode::kInvalidArgument, "{} {}: it is the model's only input", kOption,
           onnx::printable(named.name));
    }
    model.constants.emplace(named.name, std::move(array));
    std::erase_if(model.inputs,
                  [&](const onnx::ValueDef& other) { return other.name == named.name; });
  }
}

}  // namespace vta::import
