// SPDX-License-Identifier: Apache-2.0
//
// The coordinates of resize2d.
#ifndef VTA_RUNTIME_TENSOR_RESIZE_H_
#define VTA_RUNTIME_TENSOR_RESIZE_H_

#include <cstddef>
#include <cstdint>

#include "runtime/tensor/op.h"

namespace vta {

// The position of the source, of `in` elements, from which result element `i` of the axis (0: rows,
// 1: columns) is interpolated. It may be outside the source.
double resize_coordinate(const Attrs<OpKind::kResize2d>& attrs, size_t axis, int64_t in, int64_t i);

// The source element of a coordinate: nearest, within the source.
int64_t nearest_element(Rounding rounding, double coordinate, int64_t in);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_RESIZE_H_
