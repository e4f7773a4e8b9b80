// SPDX-License-Identifier: Apache-2.0
//
// Operators that sample images at computed positions: gathers of the neighbouring pixels, times
// weights.
#include <algorithm>

#include "base/errors/counted.h"
#include "compiler/onnx/graph_limits.h"
#include "compiler/onnx/node_context.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// Arithmetic on the node's graph.
class Arithmetic {
 public:
  explicit Arithmetic(NodeContext& node) : node_(node) {}

  NodeId add(NodeId a, NodeId b) { return node_.add(OpKind::kAdd, {a, b}); }
  NodeId plus(NodeId a, double b) { return b == 0 ? a : add(a, node_.add_scalar(b)); }
  NodeId sub(NodeId a, NodeId b) { return node_.add(OpKind::kSub, {a, b}); }
  NodeId mul(NodeId a, NodeId b) { return node_.add(OpKind::kMul, {a, b}); }
  NodeId times(NodeId a, double b) { return b == 1 ? a : mul(a, node_.add_scalar(b)); }
  NodeId minus_from(double a, NodeId b) { return sub(node_.add_scalar(a), b); }
  NodeId floor(NodeId a) { return node_.unary(UnaryFunction::kFloor, a); }
  NodeId clip(NodeId a, double lo, double hi) {
    return node_.add(OpKind::kClip, {a}, Attrs<OpKind::kClip>(attr::lo{lo}, attr::hi{hi}));
  }
  // 1 where lo <= a <= hi, else 0.
  NodeId is_inside(NodeId a, double lo, double hi) {
    return node_.binary(BinaryFunction::kEqual, a, clip(a, lo, hi));
  }

 private:
  NodeContext& node_;
};

// A neighbour along an axis of the positions that are sampled: its index, in float32, and weight.
struct Tap {
  NodeId index, weight;
};

// Samples rows of a table at products of taps: x is [n, rows, c], indices and weights of both axes
// are [n, positions]; the result is [n, positions, c].
NodeId weighted_sum(NodeContext& node, NodeId x, const std::vector<Tap>& rows,
                    const std::vector<Tap>& columns, int64_t width) {
  constexpr int64_t kMaxPixels = int64_t{1} << 24;  // float32 counts them
  if (node.shape_of(x)[1] > kMaxPixels)
    node.refuse("{} pixels, at most {} are supported", node.shape_of(x)[1], kMaxPixels);
  Arithmetic math(node);
  NodeId sum = -1;
  for (const Tap& row : rows) {
    for (const Tap& column : columns) {
      Dims dims = node.shape_of(row.index);
      dims.push_back(1);
      const NodeId index =
          math.add(math.times(row.index, static_cast<double>(width)), column.index);
      const Attrs<OpKind::kGatherNd> attrs(attr::batch_axes{1});
      const NodeId at = node.cast(node.reshaped(index, dims), Format::kInt32);
      const NodeId pixels = node.add(OpKind::kGatherNd, {x, at}, attrs);
      const NodeId term =
          math.mul(pixels, node.reshaped(math.mul(row.weight, column.weight), dims));
      sum = sum < 0 ? term : math.add(sum, term);
    }
  }
  return sum;
}

enum class Padding { kZeros, kBorder, kReflection };
enum class Interpolation { kNearest, kLinear, kCubic };

struct GridOptions {
  Padding padding;
  Interpolation interpolation;
  bool align_corners;
};

GridOptions read_grid_options(NodeContext& node) {
  const bool is_old = node.version() < 20;
  const std::string mode = node.text("mode", is_old ? "bilinear" : "linear");
  const std::string padding = node.text("padding_mode", "zeros");
  GridOptions options{};
  options.align_corners = node.flag("align_corners", false);
  if (mode == "nearest") {
    options.interpolation = Interpolation::kNearest;
  } else if (mode == (is_old ? "bilinear" : "linear")) {
    options.interpolation = Interpolation::kLinear;
  } else if (mode == (is_old ? "bicubic" : "cubic")) {
    options.interpolation = Interpolation::kCubic;
  } else {
    fail(ErrorCode::kCorrupt, "attribute 'mode' is '{}'", printable(mode));
  }
  constexpr const char* kPaddings[] = {"zeros", "border", "reflection"};
  const auto* const found = std::ranges::find(kPaddings, padding);
  if (found == std::end(kPaddings))
    fail(ErrorCode::kCorrupt, "attribute 'padding_mode' is '{}'", printable(padding));
  options.padding = static_cast<Padding>(found - std::begin(kPaddings));
  return options;
}

// One axis of `size` pixels.
class GridAxis {
 public:
  GridAxis(NodeContext& node, const GridOptions& options, int64_t size)
      : math_(node), node_(node), options_(options), size_(static_cast<double>(size)) {}

  // The taps for positions from -1 to 1.
  std::vector<Tap> taps(NodeId position) {
    NodeId x = options_.align_corners
                   ? math_.times(math_.plus(position, 1), (size_ - 1) / 2)
                   : math_.times(math_.plus(math_.times(math_.plus(position, 1), size_), -1), 0.5);
    if (options_.padding != Padding::kZeros) x = padded(x);
    if (options_.interpolation == Interpolation::kNearest)
      return {pixel(node_.unary(UnaryFunction::kRound, x), -1)};
    const NodeId first = math_.floor(x), rest = math_.sub(x, first);
    std::vector<Tap> taps;
    if (options_.interpolation == Interpolation::kLinear) {
      taps.push_back(pixel(first, math_.minus_from(1, rest)));
      taps.push_back(pixel(math_.plus(first, 1), rest));
      return taps;
    }
    for (int64_t tap = -1; tap <= 2; ++tap) {
      const auto offset = static_cast<double>(tap);
      const NodeId distance = node_.add(OpKind::kAbs, {math_.plus(rest, -offset)});
      taps.push_back(pixel(math_.plus(first, offset), cubic(distance, tap == 0 || tap == 1)));
    }
    return taps;
  }

 private:
  // Keys' convolution kernel with a = -0.75, in its inner or outer part.
  NodeId cubic(NodeId d, bool is_inner) {
    constexpr double kA = -0.75;
    const auto polynomial = [&](double c3, double c2, double c1, double c0) {
      const NodeId high = math_.plus(math_.mul(math_.plus(math_.times(d, c3), c2), d), c1);
      return math_.plus(math_.mul(high, d), c0);
    };
    return is_inner ? polynomial(kA + 2, -(kA + 3), 0, 1)
                    : polynomial(kA, -5 * kA, 8 * kA, -4 * kA);
  }

  // Positions moved into the image.
  NodeId padded(NodeId x) {
    if (options_.padding == Padding::kBorder) {
      // pixel() moves each of the four taps by itself.
      const double around = options_.interpolation == Interpolation::kCubic ? 3 : 0;
      return math_.clip(x, -around, size_ - 1 + around);
    }
    const double lo = options_.align_corners ? 0 : -0.5;
    const double range = size_ - 1 - 2 * lo;
    if (range == 0) return math_.plus(math_.times(x, 0), lo);
    // A triangular wave: lo + range - |(x - lo) mod (2 range) - range|.
    const NodeId wave =
        node_.binary(BinaryFunction::kModulo, math_.plus(x, -lo), node_.add_scalar(2 * range));
    return math_.minus_from(lo + range, node_.add(OpKind::kAbs, {math_.plus(wave, -range)}));
  }

  // `weight`: -1 for 1.
  Tap pixel(NodeId index, NodeId weight) {
    if (options_.padding == Padding::kZeros) {
      const NodeId is_inside = math_.is_inside(index, 0, size_ - 1);
      weight = weight < 0 ? is_inside : math_.mul(weight, is_inside);
    } else if (weight < 0) {
      weight = math_.plus(math_.times(index, 0), 1);
    }
    if (options_.padding == Padding::kReflection) index = padded(index);
    return {math_.clip(index, 0, size_ - 1), weight};
  }

  Arithmetic math_;
  NodeContext& node_;
  const GridOptions options_;
  const double size_;
};

}  // namespace

void grid_sample(NodeContext& node) {
  const Dims image = node.input(0).dims, grid = node.input(1).dims;
  if (image.size() != 4)
    node.refuse("input 0 has {}, supported are 4", counted(image.size(), "axis"));
  if (grid.size() != 4 || grid[0] != image[0] || grid[3] != 2) {
    fail(ErrorCode::kCorrupt, "the grid is [{}], expected [{}, height, width, 2]",
         fmt::join(grid, ", "), image[0]);
  }
  const GridOptions options = read_grid_options(node);
  const Dims positions = {grid[0], grid[1] * grid[2]};
  const NodeId where = node.float_operand(1);
  const auto taps = [&](int64_t part, int64_t size) {
    const NodeId position = node.reshaped(node.sliced(where, 3, part, part + 1), positions);
    return GridAxis(node, options, size).taps(position);
  };
  const std::vector<Tap> columns = taps(0, image[3]), rows = taps(1, image[2]);
  const NodeId x = node.transposed(
      node.reshaped(node.float_operand(0), {image[0], image[1], image[2] * image[3]}), {0, 2, 1});
  const NodeId sum = weighted_sum(node, x, rows, columns, image[3]);
  node.set_result(
      node.reshaped(node.transposed(sum, {0, 2, 1}), {image[0], image[1], grid[1], grid[2]}),
      node.input(0).type);
}

void affine_grid(NodeContext& node) {
  const Array& size = node.constant(1, "size");
  const Dims theta = node.input(0).dims;
  const bool aligned = node.flag("align_corners", false);
  const size_t rank = size.ints.size() < 2 ? 0 : size.ints.size() - 2;
  if (rank < 1 ||
      theta != Dims{size.ints[0], static_cast<int64_t>(rank), static_cast<int64_t>(rank) + 1}) {
    fail(ErrorCode::kCorrupt, "theta is [{}] for an image of [{}]", fmt::join(theta, ", "),
         fmt::join(size.ints, ", "));
  }
  const Dims image(size.ints.begin() + 2, size.ints.end());
  Dims of_points = image;
  of_points.push_back(static_cast<int64_t>(rank) + 1);
  Tensor points = new_constant(of_points);
  const auto values = points.mutable_data<float>();
  for (int64_t i = 0; i < num_elems(image); ++i) {
    int64_t rest = i;
    for (size_t axis = rank; axis-- > 0;) {  // the last axis is the first coordinate
      const auto n = static_cast<double>(image[axis]), at = static_cast<double>(rest % image[axis]);
      rest /= image[axis];
      const double position = !aligned ? (2 * at + 1) / n - 1 : n > 1 ? 2 * at / (n - 1) - 1 : -1;
      values[static_cast<size_t>(i) * (rank + 1) + rank - 1 - axis] = static_cast<float>(position);
    }
    values[static_cast<size_t>(i) * (rank + 1) + rank] = 1;
  }
  const NodeId grid =
      node.add(OpKind::kMatmul, {node.reshaped(node.add_constant(std::move(points)),
                                               {num_elems(image), static_cast<int64_t>(rank) + 1}),
                                 node.transposed(node.float_operand(0), {0, 2, 1})});
  Dims dims = {theta[0]};
  dims.insert(dims.end(), image.begin(), image.end());
  dims.push_back(static_cast<int64_t>(rank));
  node.set_result(node.reshaped(grid, dims), node.input(0).type, dims);
}

namespace {

// An axis of regions of interest: for each region and bin `samples` positions, in pixels of an axis
// of `size`, [regions, bins * samples], as the pixels around them.
struct RegionAxis {
  int64_t size, bins, samples;
};

// `begin`, `end`: [regions, 1].
std::vector<Tap> region_taps(NodeContext& node, const RegionAxis& axis, NodeId begin, NodeId end,
                             bool at_least_one) {
  Arithmetic math(node);
  NodeId extent = math.sub(end, begin);
  if (at_least_one) extent = node.add(OpKind::kMax, {extent, node.add_scalar(1)});
  const int64_t count = axis.bins * axis.samples;
  Tensor steps = new_constant({1, count});  // in extents
  for (int64_t i = 0; i < count; ++i) {
    steps.mutable_data<float>()[static_cast<size_t>(i)] =
        static_cast<float>((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  }
  const NodeId position = math.add(begin, math.mul(extent, node.add_constant(std::move(steps))));
  const auto size = static_cast<double>(axis.size);
  const NodeId is_inside = math.is_inside(position, -1, size);
  const NodeId at = math.clip(position, 0, size - 1);
  const NodeId low = math.floor(at), rest = math.sub(at, low);
  return {{low, math.mul(math.minus_from(1, rest), is_inside)},
          {math.clip(math.plus(low, 1), 0, size - 1), math.mul(rest, is_inside)}};
}

// [regions, rows] and [regions, columns] as [1, regions * rows * columns]: all pairs.
NodeId spread(NodeContext& node, NodeId x, int64_t rows, int64_t columns, bool is_row) {
  const int64_t regions = node.shape_of(x)[0];
  x = node.reshaped(x, {regions, is_row ? rows : 1, is_row ? 1 : columns});
  const Attrs<OpKind::kTile> repeat(attr::repeats{{1, is_row ? 1 : rows, is_row ? columns : 1}});
  return node.reshaped(node.add(OpKind::kTile, {x}, repeat), {1, regions * rows * columns});
}

// Whether pixel i of a region's image is at i + 0.5 (since version 16 an option) instead of at i.
bool has_half_pixels(NodeContext& node) {
  if (node.version() < 16) return false;
  const std::string mode = node.text("coordinate_transformation_mode", "half_pixel");
  if (mode != "half_pixel" && mode != "output_half_pixel") {
    fail(ErrorCode::kCorrupt,
         "attribute 'coordinate_transformation_mode' is '{}', expected half_pixel or "
         "output_half_pixel",
         printable(mode));
  }
  return mode == "half_pixel";
}

}  // namespace

void roi_align(NodeContext& node) {
  const Dims image = node.input(0).dims, regions = node.input(1).dims;
  if (image.size() != 4)
    fail(ErrorCode::kCorrupt, "input 0 has {}, expected 4", counted(image.size(), "axis"));
  if (regions.size() != 2 || regions[1] != 4)
    fail(ErrorCode::kCorrupt, "regions are [{}], expected [regions, 4]", fmt::join(regions, ", "));
  if (node.input(2).dims != Dims{regions[0]})
    fail(ErrorCode::kCorrupt, "input 2 is [{}], expected [{}]", fmt::join(node.input(2).dims, ", "),
         regions[0]);
  const std::string mode = node.text("mode", "avg");
  if (mode != "avg" && mode != "max")
    fail(ErrorCode::kCorrupt, "attribute 'mode' is '{}', expected avg or max", printable(mode));
  if (mode != "avg") node.refuse("attribute 'mode' is '{}', supported is avg", printable(mode));
  const int64_t samples = node.integer("sampling_ratio", 0);
  if (samples < 1)
    node.refuse("the sampling_ratio depends on the regions' sizes, expected 1 or more");
  const double scale = node.number("spatial_scale", 1);
  const bool half_pixel = has_half_pixels(node);
  const RegionAxis rows{image[2], node.integer("output_height", 1), samples};
  const RegionAxis columns{image[3], node.integer("output_width", 1), samples};
  if (rows.bins < 1 || columns.bins < 1)
    fail(ErrorCode::kCorrupt, "the output is {} x {}", rows.bins, columns.bins);
  // An error if the samples are too many; their products below then fit.
  num_elems({regions[0], rows.bins, samples, columns.bins, samples, image[1]});
  Arithmetic math(node);
  const NodeId corners = math.plus(math.times(node.float_operand(1), scale), half_pixel ? -0.5 : 0);
  const auto corner = [&](int64_t i) { return node.sliced(corners, 1, i, i + 1); };
  std::vector<Tap> of_rows = region_taps(node, rows, corner(1), corner(3), !half_pixel);
  std::vector<Tap> of_columns = region_taps(node, columns, corner(0), corner(2), !half_pixel);
  const int64_t height = rows.bins * samples, width = columns.bins * samples;
  const NodeId of_images =
      math.times(node.cast(node.index_operand(2), Format::kFloat32), static_cast<double>(image[2]));
  for (Tap& tap : of_rows) {  // rows of all images, one after another
    tap.index = math.add(tap.index, node.reshaped(of_images, {regions[0], 1}));
    tap = {spread(node, tap.index, height, width, true),
           spread(node, tap.weight, height, width, true)};
  }
  for (Tap& tap : of_columns) {
    tap = {spread(node, tap.index, height, width, false),
           spread(node, tap.weight, height, width, false)};
  }
  const NodeId x = node.reshaped(node.transposed(node.float_operand(0), {0, 2, 3, 1}),
                                 {1, image[0] * image[2] * image[3], image[1]});
  const NodeId sampled =
      node.reshaped(weighted_sum(node, x, of_rows, of_columns, image[3]),
                    {regions[0], rows.bins, samples, columns.bins, samples, image[1]});
  const Attrs<OpKind::kReduceMean> mean(attr::axes{{2, 4}});
  const NodeId bins = node.reshaped(node.add(OpKind::kReduceMean, {sampled}, mean),
                                    {regions[0], rows.bins, columns.bins, image[1]});
  node.set_result(node.transposed(bins, {0, 3, 1, 2}), node.input(0).type);
}

}  // namespace vta::onnx
