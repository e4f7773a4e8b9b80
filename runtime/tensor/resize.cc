// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/resize.h"

#include <algorithm>
#include <cmath>

namespace vta {
namespace {

double rounded(Rounding rounding, double x) {
  switch (rounding) {
    case Rounding::kRoundPreferFloor:
      return std::ceil(x - 0.5);
    case Rounding::kRoundPreferCeil:
      return std::floor(x + 0.5);
    case Rounding::kFloor:
      return std::floor(x);
    case Rounding::kCeil:
      return std::ceil(x);
  }
  return x;
}

}  // namespace

double resize_coordinate(const Attrs<OpKind::kResize2d>& attrs, size_t axis, int64_t in_elems,
                         int64_t i) {
  const auto x = static_cast<double>(i), in = static_cast<double>(in_elems);
  const auto out = static_cast<double>(attrs.out[axis]);
  const double scale = attrs.scale[axis] != 0 ? attrs.scale[axis] : out / in;
  switch (attrs.coordinates) {
    case Coordinates::kHalfPixel:
      return (x + 0.5) / scale - 0.5;
    case Coordinates::kAsymmetric:
      return x / scale;
    case Coordinates::kAlignCorners: {
      // As ONNX: in * scale is not rounded, so its fraction beyond `out` counts.
      const double size = scale * in, last = (size - out > 1e-6 ? size : out) - 1;
      return last == 0 ? 0 : x * (in - 1) / last;
    }
    case Coordinates::kPytorchHalfPixel:
      return attrs.out[axis] == 1 ? 0 : (x + 0.5) / scale - 0.5;
    case Coordinates::kHalfPixelSymmetric:
      return in / 2 * (1 - out / (scale * in)) + (x + 0.5) / scale - 0.5;
  }
  return 0;
}

int64_t nearest_element(Rounding rounding, double coordinate, int64_t in) {
  const double last = static_cast<double>(in) - 1;
  return static_cast<int64_t>(std::clamp(rounded(rounding, coordinate), 0.0, last));
}

}  // namespace vta
