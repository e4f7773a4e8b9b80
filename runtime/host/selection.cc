// SPDX-License-Identifier: Apache-2.0
//
// Operators whose result's size depends on the elements of their operands: `output` has the upper
// bound and is replaced by a tensor of the exact size.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "runtime/host/axis_view.h"
#include "runtime/host/numbers.h"
#include "runtime/host/operators.h"

namespace vta::host {
namespace {

// The slices along one axis of a tensor, compared element by element.
template <typename T>
class Slices {
 public:
  Slices(const Tensor& x, int64_t axis) : x_(x.data<T>()), view_(view_along(x.shape(), axis)) {}

  int64_t size() const { return view_.size; }

  // Below 0, 0 or above 0, as the first different elements are. NaNs are equal, and above all
  // others.
  int compare(int64_t a, int64_t b) const {
    for (int64_t o = 0; o < view_.outer; ++o) {
      for (int64_t r = 0; r < view_.inner; ++r) {
        const T of_a = at(o, a, r), of_b = at(o, b, r);
        const bool a_is_nan = std::isnan(static_cast<double>(of_a)),
                   b_is_nan = std::isnan(static_cast<double>(of_b));
        if (a_is_nan != b_is_nan) return a_is_nan ? 1 : -1;
        if (!a_is_nan && of_a != of_b) return of_a < of_b ? -1 : 1;
      }
    }
    return 0;
  }

 private:
  T at(int64_t o, int64_t i, int64_t r) const {
    return x_[static_cast<size_t>((o * view_.size + i) * view_.inner + r)];
  }

  const std::span<const T> x_;
  const AxisView view_;
};

// The distinct slices: for each the positions of all that are equal, in order.
template <typename T>
std::vector<std::vector<int32_t>> groups_of(const Slices<T>& slices, bool sorted) {
  std::vector<int32_t> order(static_cast<size_t>(slices.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](int32_t a, int32_t b) {
    const int difference = slices.compare(a, b);
    return difference != 0 ? difference < 0 : a < b;
  });
  std::vector<std::vector<int32_t>> groups;
  for (int32_t i : order) {
    if (groups.empty() || slices.compare(groups.back()[0], i) != 0) groups.emplace_back();
    groups.back().push_back(i);
  }
  if (!sorted) std::ranges::sort(groups, {}, [](const auto& group) { return group[0]; });
  return groups;
}

std::vector<int32_t> part_of(const std::vector<std::vector<int32_t>>& groups, UniquePart part,
                             int64_t size) {
  std::vector<int32_t> result(part == UniquePart::kInverse ? static_cast<size_t>(size)
                                                           : groups.size());
  for (size_t i = 0; i < groups.size(); ++i) {
    switch (part) {
      case UniquePart::kFirst:
        result[i] = groups[i][0];
        break;
      case UniquePart::kCount:
        result[i] = static_cast<int32_t>(groups[i].size());
        break;
      case UniquePart::kInverse:
        for (int32_t member : groups[i])
          result[static_cast<size_t>(member)] = static_cast<int32_t>(i);
        break;
    }
  }
  return result;
}

}  // namespace

void non_zero(const NoAttrs&, const Operands& inputs, Tensor& output) {
  std::vector<int64_t> positions;
  with_number_type(inputs[0], [&](auto zero) {
    const auto x = inputs[0].data<decltype(zero)>();
    for (size_t i = 0; i < x.size(); ++i) {
      if (x[i] != 0) positions.push_back(static_cast<int64_t>(i));
    }
  });
  const size_t rank = inputs[0].shape().size(), count = positions.size();
  output = Tensor({DType::kInt32, {static_cast<int64_t>(rank), static_cast<int64_t>(count)}});
  const auto y = output.mutable_data<int32_t>();
  for (size_t axis = rank; axis-- > 0;) {
    const int64_t size = inputs[0].dim(axis);
    for (size_t i = 0; i < count; ++i) {
      y[axis * count + i] = static_cast<int32_t>(positions[i] % size);
      positions[i] /= size;
    }
  }
}

void unique(const Attrs<OpKind::kUnique>& attrs, const Operands& inputs, Tensor& output) {
  with_number_type(inputs[0], [&](auto zero) {
    const Slices<decltype(zero)> slices(inputs[0], attrs.axis);
    const auto result = part_of(groups_of(slices, attrs.sorted), attrs.part, slices.size());
    output = Tensor({static_cast<int64_t>(result.size())}, result);
  });
}

void compress(const Attrs<OpKind::kCompress>& attrs, const Operands& inputs, Tensor& output) {
  const auto condition = inputs[1].data<float>();
  std::vector<int64_t> selected;
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition[i] != 0) selected.push_back(static_cast<int64_t>(i));
  }
  const AxisView view = view_along(inputs[0].shape(), attrs.axis);
  TensorType type = output.type();
  const auto rank = static_cast<int64_t>(type.shape.size());
  type.shape[static_cast<size_t>(attrs.axis < 0 ? attrs.axis + rank : attrs.axis)] =
      static_cast<int64_t>(selected.size());
  output = Tensor(type);
  const size_t bytes = static_cast<size_t>(view.inner) * size_bytes(type.dtype);
  uint8_t* to = output.mutable_bytes().data();
  for (int64_t o = 0; o < view.outer; ++o) {
    for (int64_t i : selected) {
      std::memcpy(to, inputs[0].bytes().data() + static_cast<size_t>(o * view.size + i) * bytes,
                  bytes);
      to += bytes;
    }
  }
}

void iota(const Attrs<OpKind::kIota>& attrs, const Operands& inputs, Tensor& output) {
  const int64_t count = inputs[0].data<int32_t>()[0];
  if (count < 0 || count > attrs.size)
    fail(ErrorCode::kInvalidArgument, "size {} is outside 0 to {}", count, attrs.size);
  output = Tensor(TensorType{DType::kInt32, {count}});
  const auto numbers = output.mutable_data<int32_t>();
  std::iota(numbers.begin(), numbers.end(), 0);
}

void shape_of(const NoAttrs&, const Operands& inputs, Tensor& output) {
  std::ranges::copy(inputs[0].shape(), output.mutable_data<int32_t>().begin());
}

}  // namespace vta::host
