// SPDX-License-Identifier: Apache-2.0
//
// Operators on indices: the elements of the result are found by int32 tensors.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/errors/counted.h"
#include "runtime/host/axis_view.h"
#include "runtime/host/broadcast.h"
#include "runtime/host/numbers.h"
#include "runtime/host/operators.h"

namespace vta::host {
namespace {

// The position of an index on an axis of `size` elements.
int64_t position(int64_t index, int64_t size) {
  if (index < -size || index >= size) {
    fail(ErrorCode::kInvalidArgument, "index {} is outside an axis of {}", index,
         counted(size, "element"));
  }
  return index < 0 ? index + size : index;
}

// Copies ranges of elements of a tensor to another one of the same type.
class ElementCopy {
 public:
  ElementCopy(const Tensor& from, Tensor& to)
      : from_(from.bytes().data()),
        to_(to.mutable_bytes().data()),
        elem_bytes_(size_bytes(to.dtype())) {}

  void operator()(int64_t from_index, int64_t to_index, int64_t count) const {
    std::memcpy(to_ + static_cast<size_t>(to_index) * elem_bytes_,
                from_ + static_cast<size_t>(from_index) * elem_bytes_,
                static_cast<size_t>(count) * elem_bytes_);
  }

 private:
  const uint8_t* from_;
  uint8_t* to_;
  size_t elem_bytes_;
};

// Calls visit(i, offset) for element i of `indices`, a tensor of x's rank: the offset in x of the
// element with its position, except that the position along `axis` is the index.
template <typename Visit>
void for_each_indexed(const std::vector<int64_t>& x, const Tensor& indices, int64_t axis,
                      Visit&& visit) {
  const auto along = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(x.size()) : axis);
  const auto index = indices.data<int32_t>();
  std::vector<int64_t> at(x.size());
  for (size_t i = 0; i < index.size(); ++i) {
    int64_t offset = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      offset = offset * x[k] + (k == along ? position(index[i], x[k]) : at[k]);
    }
    visit(static_cast<int64_t>(i), offset);
    for (size_t k = x.size(); k-- > 0;) {
      if (++at[k] < indices.dim(k)) break;
      at[k] = 0;
    }
  }
}

// Rows of elements of x, by indices [..., depth]: calls visit(offset in the other tensor, offset in
// x, count of elements) for each row of indices.
template <typename Visit>
void for_each_row(const std::vector<int64_t>& x, const Tensor& indices, int64_t batch_axes,
                  Visit&& visit) {
  const auto batch = static_cast<size_t>(batch_axes);
  const auto depth = static_cast<size_t>(indices.shape().back());
  const auto rest = x.begin() + static_cast<std::ptrdiff_t>(batch + depth);
  const int64_t count = std::accumulate(rest, x.end(), int64_t{1}, std::multiplies<>());
  int64_t batches = 1;
  for (size_t i = 0; i < batch; ++i) batches *= x[i];
  const auto index = indices.data<int32_t>();
  const int64_t rows = indices.num_elems() / static_cast<int64_t>(depth);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t offset = row / (rows / batches);
    for (size_t k = 0; k < depth; ++k) {
      const int64_t size = x[batch + k];
      offset = offset * size + position(index[static_cast<size_t>(row) * depth + k], size);
    }
    visit(row * count, offset * count, count);
  }
}

// y = reduction(y, x)
template <typename T>
void update(Reduction reduction, T& y, T update_by) {
  const auto total = static_cast<double>(y), x = static_cast<double>(update_by);
  switch (reduction) {
#define VTA_REDUCTION(kind, name, before, combined, after) \
  case Reduction::kind:                                    \
    y = number<T>(combined);                               \
    break;
#include "runtime/tensor/functions.def"
  }
}

// Copies the elements of `from` for which the condition is `wanted`.
template <typename T>
void copy_where(const Tensor& condition, bool wanted, const Tensor& from, Tensor& output) {
  const Broadcast lines(condition.shape(), from.shape(), output.shape());
  const float* conditions = condition.data<float>().data();
  const T* elements = from.data<T>().data();
  T* to = output.mutable_data<T>().data();
  lines.for_each_line([&](int64_t condition_at, int64_t from_at, int64_t at) {
    for (int64_t i = 0; i < lines.length(); ++i) {
      const bool is_true = conditions[condition_at + i * lines.a_step()] != 0;
      if (is_true == wanted) to[at + i] = elements[from_at + i * lines.b_step()];
    }
  });
}

template <typename T>
void choose(const Operands& inputs, Tensor& output) {
  copy_where<T>(inputs[0], true, inputs[1], output);
  copy_where<T>(inputs[0], false, inputs[2], output);
}

}  // namespace

void tile(const Attrs<OpKind::kTile>& attrs, const Operands& inputs, Tensor& output) {
  Tensor tiled = inputs[0];
  for (size_t axis = 0; axis < attrs.repeats.size(); ++axis) {
    if (attrs.repeats[axis] == 1) continue;
    const AxisView view = view_along(tiled.shape(), static_cast<int64_t>(axis));
    TensorType type = tiled.type();
    type.shape[axis] *= attrs.repeats[axis];
    Tensor next(type);
    const ElementCopy copy(tiled, next);
    const int64_t block = view.size * view.inner;
    for (int64_t i = 0; i < view.outer * attrs.repeats[axis]; ++i) {
      copy(i / attrs.repeats[axis] * block, i * block, block);
    }
    tiled = std::move(next);
  }
  output = tiled;
}

// Axes of one element are repeated; `output` is replaced by one of the sizes of the run.
void broadcast_to(const Attrs<OpKind::kBroadcastTo>& attrs, const Operands& inputs,
                  Tensor& output) {
  Attrs<OpKind::kTile> tiling;
  tiling.repeats.assign(attrs.shape.size(), 1);
  for (size_t i = 0; i < attrs.axes.size(); ++i) {
    const auto rank = static_cast<int64_t>(attrs.shape.size());
    const auto axis = static_cast<size_t>((attrs.axes[i] + rank) % rank);
    const int64_t own = inputs[0].shape()[axis], size = inputs[1].data<int32_t>()[i];
    if (size < 0 || size > attrs.shape[axis]) {
      fail(ErrorCode::kInvalidArgument, "size {} of axis {} is outside 0 to {}", size, axis,
           attrs.shape[axis]);
    }
    if (own == 1) {
      tiling.repeats[axis] = size;
    } else if (size != own && size != 1) {
      fail(ErrorCode::kInvalidArgument, "axis {} of {} does not broadcast to {}", axis,
           counted(own, "element"), size);
    }
  }
  tile(tiling, inputs, output);
}

void where(const NoAttrs&, const Operands& inputs, Tensor& output) {
  if (output.dtype() == DType::kInt8) {
    choose<int8_t>(inputs, output);
  } else {
    with_number_type(output, [&](auto zero) { choose<decltype(zero)>(inputs, output); });
  }
}

void gather(const Attrs<OpKind::kGather>& attrs, const Operands& inputs, Tensor& output) {
  const AxisView view = view_along(inputs[0].shape(), attrs.axis);
  const auto indices = inputs[1].data<int32_t>();
  const ElementCopy copy(inputs[0], output);
  int64_t to = 0;
  for (int64_t o = 0; o < view.outer; ++o) {
    for (int32_t index : indices) {
      copy((o * view.size + position(index, view.size)) * view.inner, to, view.inner);
      to += view.inner;
    }
  }
}

void gather_elements(const Attrs<OpKind::kGatherElements>& attrs, const Operands& inputs,
                     Tensor& output) {
  const ElementCopy copy(inputs[0], output);
  for_each_indexed(inputs[0].shape(), inputs[1], attrs.axis,
                   [&](int64_t i, int64_t offset) { copy(offset, i, 1); });
}

void gather_nd(const Attrs<OpKind::kGatherNd>& attrs, const Operands& inputs, Tensor& output) {
  const ElementCopy copy(inputs[0], output);
  for_each_row(inputs[0].shape(), inputs[1], attrs.batch_axes,
               [&](int64_t to, int64_t from, int64_t count) { copy(from, to, count); });
}

void scatter_elements(const Attrs<OpKind::kScatterElements>& attrs, const Operands& inputs,
                      Tensor& output) {
  output = inputs[0];
  with_number_type(output, [&](auto zero) {
    const auto updates = inputs[2].data<decltype(zero)>();
    const auto y = output.mutable_data<decltype(zero)>();
    for_each_indexed(output.shape(), inputs[1], attrs.axis, [&](int64_t i, int64_t offset) {
      update(attrs.reduction, y[static_cast<size_t>(offset)], updates[static_cast<size_t>(i)]);
    });
  });
}

void scatter_nd(const Attrs<OpKind::kScatterNd>& attrs, const Operands& inputs, Tensor& output) {
  output = inputs[0];
  with_number_type(output, [&](auto zero) {
    const auto* updates = inputs[2].data<decltype(zero)>().data();
    auto* y = output.mutable_data<decltype(zero)>().data();
    for_each_row(output.shape(), inputs[1], 0, [&](int64_t from, int64_t to, int64_t count) {
      for (int64_t i = 0; i < count; ++i) update(attrs.reduction, y[to + i], updates[from + i]);
    });
  });
}

// With a size of the run, `output` has the axis's size and is replaced.
void top_k(const Attrs<OpKind::kTopK>& attrs, const Operands& inputs, Tensor& output) {
  const AxisView view = view_along(inputs[0].shape(), attrs.axis);
  const int64_t size = inputs.size() == 2 ? inputs[1].data<int32_t>()[0] : attrs.size;
  if (size < 0 || size > view.size) {
    fail(ErrorCode::kInvalidArgument, "size {} is outside 0 to {}, the axis", size, view.size);
  }
  if (inputs.size() == 2) {
    TensorType type = output.type();
    const auto rank = static_cast<int64_t>(type.shape.size());
    type.shape[static_cast<size_t>(attrs.axis < 0 ? attrs.axis + rank : attrs.axis)] = size;
    output = Tensor(type);
  }
  const auto y = output.mutable_data<int32_t>();
  with_number_type(inputs[0], [&](auto zero) {
    const auto x = inputs[0].data<decltype(zero)>();
    std::vector<int32_t> order(static_cast<size_t>(view.size));
    view.for_each_line([&](int64_t first, int64_t line) {
      std::iota(order.begin(), order.end(), 0);
      const auto value = [&](int32_t i) { return x[static_cast<size_t>(first + i * view.inner)]; };
      const auto precedes = [&](int32_t a, int32_t b) {
        if (value(a) != value(b)) return attrs.smallest != (value(a) > value(b));
        return a < b;
      };
      std::partial_sort(order.begin(), order.begin() + size, order.end(), precedes);
      const int64_t to = line / view.inner * size * view.inner + line % view.inner;
      for (int64_t i = 0; i < size; ++i) {
        y[static_cast<size_t>(to + i * view.inner)] = order[static_cast<size_t>(i)];
      }
    });
  });
}

}  // namespace vta::host
