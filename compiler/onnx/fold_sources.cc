// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "compiler/onnx/fold.h"

namespace vta::onnx {
namespace {

Array scalar_of(const Attribute& attribute) {
  Array array;
  if (attribute.kind == Attribute::Kind::kInt) return integers({}, {attribute.integer});
  array.floats = {attribute.number};
  return array;
}

Array list_of(const Attribute& attribute) {
  if (attribute.kind == Attribute::Kind::kInts) {
    return integers({static_cast<int64_t>(attribute.integers.size())}, attribute.integers);
  }
  Array array;
  array.dims = {static_cast<int64_t>(attribute.numbers.size())};
  array.floats = attribute.numbers;
  return array;
}

}  // namespace

void fold_constant(NodeContext& node) {
  using Kind = Attribute::Kind;
  struct Form {
    const char* name;
    Kind kind;
  };
  constexpr Form kForms[] = {{"value", Kind::kTensor},
                             {"value_float", Kind::kFloat},
                             {"value_int", Kind::kInt},
                             {"value_floats", Kind::kFloats},
                             {"value_ints", Kind::kInts}};
  if (node.def().attributes.size() != 1) {
    fail(ErrorCode::kCorrupt, "{} attributes, expected one", node.def().attributes.size());
  }
  for (const Form& form : kForms) {
    const Attribute* attribute = node.attribute(form.name);
    if (attribute == nullptr) continue;
    if (attribute->kind != form.kind)
      fail(ErrorCode::kCorrupt, "attribute '{}' is of another kind", form.name);
    if (form.kind == Kind::kTensor) return node.set_stored_constant(attribute->tensor);
    const bool is_scalar = form.kind == Kind::kFloat || form.kind == Kind::kInt;
    return node.set_constant(is_scalar ? scalar_of(*attribute) : list_of(*attribute));
  }
  node.refuse("attribute '{}' is not supported", printable(node.def().attributes.begin()->first));
}

void fold_constant_of_shape(NodeContext& node) {
  const Array& shape = node.constant(0, "shape");
  if (shape.is_float() || shape.dims.size() > 1) {
    fail(ErrorCode::kCorrupt, "the shape is {}", to_string(shape));
  }
  Array value;
  value.dims = {1};
  value.floats = {0};
  if (const Attribute* given = node.attribute("value")) value = given->tensor;
  if (value.size() != 1) fail(ErrorCode::kCorrupt, "the value is {}", to_string(value));
  node.set_constant(gathered(value, shape.ints, [](int64_t) { return 0; }, true));
}

void fold_shape(NodeContext& node) {
  const Dims& dims = node.input(0).dims;
  const int64_t rank = node.rank(0);
  int64_t start = 0, end = rank;
  if (node.version() >= 15) {
    start = node.integer("start", 0);
    end = node.integer("end", rank);
    start = std::clamp<int64_t>(start < 0 ? start + rank : start, 0, rank);
    end = std::clamp<int64_t>(end < 0 ? end + rank : end, 0, rank);
  }
  Dims part;
  for (int64_t i = start; i < end; ++i) part.push_back(dims[static_cast<size_t>(i)]);
  const auto count = static_cast<int64_t>(part.size());
  node.set_constant(integers({count}, std::move(part)));
}

void fold_size(NodeContext& node) {
  node.set_constant(integers({}, {num_elems(node.input(0).dims)}));
}

void fold_range(NodeContext& node) {
  const Array &start = node.constant(0, "start"), &limit = node.constant(1, "limit"),
              &delta = node.constant(2, "delta");
  if (start.size() != 1 || limit.size() != 1 || delta.size() != 1 || start.type != limit.type ||
      start.type != delta.type) {
    fail(ErrorCode::kCorrupt, "a range from {} to {} by {}", to_string(start), to_string(limit),
         to_string(delta));
  }
  const double steps = std::ceil((limit.at(0) - start.at(0)) / delta.at(0));
  const double count = steps < 0 ? 0 : steps;
  if (!(count < 1 << 22)) fail(ErrorCode::kUnsupported, "a range of {} elements", count);
  Array result = make_array(start.type, {static_cast<int64_t>(count)}, true);
  for (int64_t i = 0; i < result.size(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (result.is_float()) {
      result.floats[at] = start.floats[0] + static_cast<float>(i) * delta.floats[0];
    } else {
      result.ints[at] =
          static_cast<int64_t>(static_cast<uint64_t>(start.ints[0]) +
                               static_cast<uint64_t>(i) * static_cast<uint64_t>(delta.ints[0]));
    }
  }
  node.set_constant(std::move(result));
}

}  // namespace vta::onnx
