// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_HOST_AXIS_VIEW_H_
#define VTA_RUNTIME_HOST_AXIS_VIEW_H_

#include <cstdint>
#include <vector>

namespace vta::host {

// One axis of a tensor: element i of line (o, r) is at (o * size + i) * inner + r.
struct AxisView {
  int64_t outer = 1, size = 1, inner = 1;

  // Calls line(offset of the line's first element, number of the line) for every line.
  template <typename Line>
  void for_each_line(Line&& line) const {
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t r = 0; r < inner; ++r) line(o * size * inner + r, o * inner + r);
    }
  }
};

// A negative axis counts from the end.
inline AxisView view_along(const std::vector<int64_t>& shape, int64_t axis) {
  const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis);
  AxisView view;
  for (size_t i = 0; i < at; ++i) view.outer *= shape[i];
  view.size = shape[at];
  for (size_t i = at + 1; i < shape.size(); ++i) view.inner *= shape[i];
  return view;
}

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_AXIS_VIEW_H_
