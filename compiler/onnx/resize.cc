// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/errors/counted.h"
#include "compiler/onnx/node_context.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

constexpr int64_t kMaxSize = int64_t{1} << 24;
constexpr double kMaxScale = 1 << 24;

// The resizing of one axis.
struct AxisResize {
  int64_t size = 1;  // of the result
  double scale = 1;
  bool changes(int64_t from) const { return size != from || scale != 1; }
};
using AxisResizes = std::vector<AxisResize>;

int64_t checked_size(double size) {
  if (!(size >= 1 && size <= static_cast<double>(kMaxSize))) {
    fail(ErrorCode::kUnsupported, "size {}, supported are 1 to {}", size, kMaxSize);
  }
  return static_cast<int64_t>(size);
}

AxisResizes by_scales(const Dims& dims, const Dims& axes, const std::vector<float>& scales) {
  AxisResizes result;
  for (int64_t dim : dims) result.push_back({dim, 1});
  if (scales.size() != axes.size()) {
    fail(ErrorCode::kCorrupt, "{} scales for {}", scales.size(), counted(axes.size(), "axis"));
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    const float scale = scales[i];
    if (!(scale > 0 && scale <= kMaxScale)) {
      fail(ErrorCode::kCorrupt, "scale {}, expected above 0 and at most {}", scale, kMaxScale);
    }
    const auto axis = static_cast<size_t>(axes[i]);
    // In float32, as in ONNX Runtime and ONNX's shape inference: there 640 * 0.7f is 448, but in
    // double it is less.
    result[axis] = {checked_size(std::floor(static_cast<float>(dims[axis]) * scale)), scale};
  }
  return result;
}

AxisResizes by_sizes(const Dims& dims, const Dims& axes, const Dims& sizes,
                     const std::string& policy) {
  AxisResizes result;
  for (int64_t dim : dims) result.push_back({dim, 1});
  if (sizes.size() != axes.size()) {
    fail(ErrorCode::kCorrupt, "{} sizes for {}", sizes.size(), counted(axes.size(), "axis"));
  }
  double low = kMaxScale, high = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<size_t>(axes[i]);
    const auto size = static_cast<double>(checked_size(static_cast<double>(sizes[i])));
    const double scale = size / static_cast<double>(dims[axis]);
    low = std::min(low, scale);
    high = std::max(high, scale);
    result[axis] = {sizes[i], scale};
  }
  if (policy == "stretch") return result;
  if (policy != "not_larger" && policy != "not_smaller") {
    fail(ErrorCode::kUnsupported, "attribute 'keep_aspect_ratio_policy' is '{}'",
         printable(policy));
  }
  const double scale = policy == "not_larger" ? low : high;
  for (int64_t axis : axes) {
    const auto i = static_cast<size_t>(axis);
    result[i] = {checked_size(std::floor(static_cast<double>(dims[i]) * scale + 0.5)), scale};
  }
  return result;
}

ResizeMode resize_mode(NodeContext& node) {
  const std::string mode = node.text("mode", "nearest");
  if (mode == "nearest") return ResizeMode::kNearest;
  // The name in Upsample before version 9.
  if (mode == "linear" || mode == "bilinear") return ResizeMode::kLinear;
  if (mode == "cubic") return ResizeMode::kCubic;
  node.refuse("attribute 'mode' is '{}'", printable(mode));
}

Coordinates coordinates(NodeContext& node) {
  const std::string mode = node.text("coordinate_transformation_mode", "half_pixel");
  if (mode == "half_pixel") return Coordinates::kHalfPixel;
  if (mode == "pytorch_half_pixel") return Coordinates::kPytorchHalfPixel;
  if (mode == "align_corners") return Coordinates::kAlignCorners;
  if (mode == "asymmetric") return Coordinates::kAsymmetric;
  if (mode == "half_pixel_symmetric" && node.version() >= 19) {
    return Coordinates::kHalfPixelSymmetric;
  }
  node.refuse("attribute 'coordinate_transformation_mode' is '{}'", printable(mode));
}

Rounding rounding(NodeContext& node) {
  const std::string mode = node.text("nearest_mode", "round_prefer_floor");
  if (mode == "round_prefer_floor") return Rounding::kRoundPreferFloor;
  if (mode == "round_prefer_ceil") return Rounding::kRoundPreferCeil;
  if (mode == "floor") return Rounding::kFloor;
  if (mode == "ceil") return Rounding::kCeil;
  node.refuse("attribute 'nearest_mode' is '{}'", printable(mode));
}

// The graph resizes the last two of four axes; a transpose moves the changing axes there and back.
struct Arrangement {
  Dims perm;     // moves the changing axes to the end
  Dims inverse;  // moves them back
  Dims image;    // the four-axis shape after perm
};

Arrangement arrange(NodeContext& node, const Dims& dims, const AxisResizes& axes) {
  Dims kept, changed;
  for (size_t i = 0; i < dims.size(); ++i) {
    (axes[i].changes(dims[i]) ? changed : kept).push_back(static_cast<int64_t>(i));
  }
  if (changed.size() > 2) node.refuse("{} axes change, at most 2 are supported", changed.size());
  // If fewer than two axes change, the last axes fill up.
  while (changed.size() < 2 && !kept.empty()) {
    const auto place = std::lower_bound(changed.begin(), changed.end(), kept.back());
    changed.insert(place, kept.back());
    kept.pop_back();
  }
  Arrangement result;
  result.perm = kept;
  result.perm.insert(result.perm.end(), changed.begin(), changed.end());
  result.inverse.resize(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    result.inverse[static_cast<size_t>(result.perm[i])] = static_cast<int64_t>(i);
  }
  for (int64_t axis : result.perm) result.image.push_back(dims[static_cast<size_t>(axis)]);
  while (result.image.size() > 4) {
    result.image[1] *= result.image[0];
    result.image.erase(result.image.begin());
  }
  while (result.image.size() < 4) result.image.insert(result.image.begin(), 1);
  return result;
}

void set_resized(NodeContext& node, const AxisResizes& axes, Attrs<OpKind::kResize2d> attrs) {
  const Dims& dims = node.input(0).dims;
  const NodeId x = attrs.resize_mode == ResizeMode::kNearest ? node.small_operand(0, true)
                                                             : node.float_operand(0);
  const bool changes = std::any_of(axes.begin(), axes.end(), [&](const AxisResize& axis) {
    return axis.changes(dims[static_cast<size_t>(&axis - axes.data())]);
  });
  if (!changes) return node.set_same(node.shared_input(0));
  const Arrangement arrangement = arrange(node, dims, axes);
  const size_t last = dims.size() - 1;
  const auto axis_at = [&](size_t place) {
    return axes[static_cast<size_t>(arrangement.perm[place])];
  };
  const AxisResize width = axis_at(last), height = last > 0 ? axis_at(last - 1) : AxisResize{};
  attrs.out = {height.size, width.size};
  attrs.scale = {height.scale, width.scale};
  const NodeId image = node.reshaped(node.transposed(x, arrangement.perm), arrangement.image);
  const NodeId resized = node.add(OpKind::kResize2d, {image}, attrs);
  Dims to;
  for (int64_t axis : arrangement.perm) to.push_back(axes[static_cast<size_t>(axis)].size);
  node.set_result(node.transposed(node.reshaped(resized, to), arrangement.inverse),
                  node.input(0).type);
}

std::vector<float> float_list(NodeContext& node, size_t index, const char* what) {
  const Array& array = node.constant(index, what);
  if (!array.is_float() || array.dims.size() > 1) {
    fail(ErrorCode::kCorrupt, "input {} ({}) is {}, expected a list of numbers", index, what,
         to_string(array));
  }
  return array.floats;
}

Dims all_axes(const NodeContext& node) {
  Dims axes(static_cast<size_t>(node.rank(0)));
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

// Upsample, and Resize before version 11: asymmetric; nearest rounds down, or up if the axis
// shrinks.
void set_simply_resized(NodeContext& node, const std::vector<float>& scales) {
  Attrs<OpKind::kResize2d> attrs(attr::resize_mode{resize_mode(node)});
  if (attrs.resize_mode == ResizeMode::kCubic) node.refuse("attribute 'mode' is 'cubic'");
  attrs.coordinates = Coordinates::kAsymmetric;
  const bool shrinks = std::any_of(scales.begin(), scales.end(), [](float s) { return s < 1; });
  const bool grows = std::any_of(scales.begin(), scales.end(), [](float s) { return s > 1; });
  if (shrinks && grows && attrs.resize_mode == ResizeMode::kNearest) {
    node.refuse("one axis grows and another shrinks, which is not supported");
  }
  attrs.rounding = shrinks ? Rounding::kCeil : Rounding::kFloor;
  set_resized(node, by_scales(node.input(0).dims, all_axes(node), scales), attrs);
}

AxisResizes read_resizes(NodeContext& node) {
  const Dims& dims = node.input(0).dims;
  Dims axes = all_axes(node);
  std::string policy = "stretch";
  if (node.version() >= 18) {
    if (const std::optional<Dims> given = node.integers("axes")) {
      axes = *given;
      for (int64_t& axis : axes) axis = node.axis(axis, node.rank(0));
    }
    policy = node.text("keep_aspect_ratio_policy", "stretch");
    if (node.flag("antialias", false)) {
      node.refuse(
          "attribute 'antialias' is 1; export the model with antialias=False, or resize its input "
          "before the network");
    }
  }
  const bool has_scales =
      node.has_input(2) && (num_elems(node.input(2).dims) > 0 || !node.has_input(3));
  if (has_scales && node.has_input(3)) {
    fail(ErrorCode::kCorrupt, "both scales and sizes are given");
  }
  if (has_scales) return by_scales(dims, axes, float_list(node, 2, "scales"));
  const Array& sizes = node.constant(3, "sizes");
  if (sizes.is_float() || sizes.dims.size() != 1) {
    fail(ErrorCode::kCorrupt, "sizes are {}, expected a list of integers", to_string(sizes));
  }
  return by_sizes(dims, axes, sizes.ints, policy);
}

}  // namespace

void resize(NodeContext& node) {
  if (node.rank(0) == 0) fail(ErrorCode::kCorrupt, "input 0 is a scalar");
  if (node.version() < 11) return set_simply_resized(node, float_list(node, 1, "scales"));
  Attrs<OpKind::kResize2d> attrs(
      attr::resize_mode{resize_mode(node)}, attr::coordinates{coordinates(node)},
      attr::rounding{rounding(node)}, attr::cubic_a{node.number("cubic_coeff_a", -0.75)},
      attr::exclude_outside{node.flag("exclude_outside", false)});
  node.number("extrapolation_value", 0);  // for tf_crop_and_resize only
  if (attrs.exclude_outside && attrs.resize_mode != ResizeMode::kCubic) {
    attrs.exclude_outside = false;  // has no effect on linear and nearest
  }
  set_resized(node, read_resizes(node), attrs);
}

void upsample(NodeContext& node) {
  if (node.rank(0) == 0) fail(ErrorCode::kCorrupt, "input 0 is a scalar");
  if (node.lists_as_inputs()) return set_simply_resized(node, float_list(node, 1, "scales"));
  const Attribute* scales = node.attribute("scales");
  if (scales == nullptr || scales->kind != Attribute::Kind::kFloats) {
    fail(ErrorCode::kCorrupt, "attribute 'scales' is missing");
  }
  set_simply_resized(node, scales->numbers);
}

}  // namespace vta::onnx
