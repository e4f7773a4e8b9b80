// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "compiler/lower/conv_lowering.h"
#include "compiler/lower/conv_terms.h"
#include "compiler/lower/passes.h"
#include "compiler/lower/tap_ranges.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

// Limits of a fold: channels; window attributes (runtime/tensor/inference.h).
constexpr int64_t kMaxChannels = 1 << 12, kMaxWindow = 1 << 16;

// A fold of a convolution's kernel along an axis: `size` adjacent taps become channels, and the
// input is unfolded to match (unfold2d). Tap t of the convolution is channel t % size of tap
// t / size.
struct AxisFold {
  int64_t size = 1;
  int64_t taps = 1;  // that remain
  // The unfold2d, whose window is `size`:
  int64_t stride = 1, dilation = 1, before = 0, after = 0;
  // The convolution of unfolded values:
  int64_t conv_stride = 1, conv_dilation = 1, conv_before = 0, conv_after = 0;

  bool is_legal() const {
    return std::max({stride, dilation, before, after, conv_stride, conv_dilation}) <= kMaxWindow;
  }
};

AxisFold fold_axis(const WindowAttrs& conv, size_t axis, int64_t in, int64_t out, int64_t size) {
  const int64_t stride = conv.stride[axis], dilation = conv.dilation[axis];
  AxisFold fold{.size = size, .taps = ceil_div(conv.kernel[axis], size)};
  if (size == 1 && (fold.taps > 1 || stride == 1)) {  // unchanged
    fold.conv_stride = stride;
    fold.conv_dilation = dilation;
    fold.conv_before = conv.pad[axis];
    fold.conv_after = conv.pad[axis + 2];
    return fold;
  }
  // Remaining tap q of output o reads input stride * o + dilation * size * q.
  fold.stride = fold.taps == 1 ? stride : std::gcd(stride, dilation * size);
  fold.dilation = dilation;
  fold.conv_stride = stride / fold.stride;
  fold.conv_dilation = fold.taps == 1 ? 1 : dilation * size / fold.stride;
  fold.before = conv.pad[axis];
  const int64_t last = fold.conv_stride * (out - 1) + fold.conv_dilation * (fold.taps - 1);
  const int64_t end = fold.stride * last + dilation * (size - 1) + 1;
  fold.after = std::max<int64_t>(0, end - in - fold.before);
  return fold;
}

// Sizes worth trying: the smallest for each number of remaining taps, and those that let the
// unfold2d take over the stride.
std::vector<int64_t> fold_sizes(const WindowAttrs& conv, size_t axis) {
  const int64_t kernel = conv.kernel[axis];
  const int64_t unit = conv.stride[axis] / std::gcd(conv.stride[axis], conv.dilation[axis]);
  std::set<int64_t> sizes;
  for (int64_t taps = 1; taps <= kernel; ++taps) {
    const int64_t size = ceil_div(kernel, taps);
    sizes.insert(size);
    sizes.insert(std::min(kernel, ceil_div(size, unit) * unit));
  }
  return {sizes.begin(), sizes.end()};
}

struct Fold {
  AxisFold rows, columns;

  int64_t channels() const { return rows.size * columns.size; }  // for each of the input

  // `quantize`: the attributes of the input's quantize, or none; padding is `zero`.
  Attrs<OpKind::kUnfold2d> unfold(const Attrs<OpKind::kQuantize>& quantize, int64_t zero) const {
    return Attrs<OpKind::kUnfold2d>(
        attr::kernel{{rows.size, columns.size}}, attr::stride{{rows.stride, columns.stride}},
        attr::dilation{{rows.dilation, columns.dilation}},
        attr::pad{{rows.before, columns.before, rows.after, columns.after}},
        attr::frac_bits{quantize.frac_bits}, attr::unit{quantize.unit}, attr::zero{zero});
  }

  // The attributes of `conv` on unfolded values.
  Attrs<OpKind::kQConv2d> convolution(const Attrs<OpKind::kQConv2d>& conv,
                                      int64_t group_channels) const {
    if (channels() == 1 && rows.stride == 1 && columns.stride == 1) return conv;
    Attrs<OpKind::kQConv2d> attrs = conv;
    attrs.kernel = {rows.taps, columns.taps};
    attrs.stride = {rows.conv_stride, columns.conv_stride};
    attrs.dilation = {rows.conv_dilation, columns.conv_dilation};
    attrs.pad = {rows.conv_before, columns.conv_before, rows.conv_after, columns.conv_after};
    attrs.groups = 1;
    if (attrs.products == 0) attrs.products = group_channels * conv.kernel[0] * conv.kernel[1];
    return attrs;
  }
};

// Weights [oc, c / groups, kh, kw] of `conv` as [oc, size * c, taps, taps] of the fold, zero where
// there is no counterpart.
Tensor unfolded_weights(const Tensor& weights, const Attrs<OpKind::kQConv2d>& conv,
                        const Fold& fold) {
  const int64_t oc = weights.dim(0), group_ic = weights.dim(1);
  const int64_t kh = conv.kernel[0], kw = conv.kernel[1], channels = group_ic * conv.groups;
  const int64_t th = fold.rows.taps, tw = fold.columns.taps;
  Tensor result(TensorType{DType::kInt8, {oc, fold.channels() * channels, th, tw}});
  const auto from = weights.data<int8_t>();
  const auto to = result.mutable_data<int8_t>();
  std::ranges::fill(to, int8_t{0});
  const int64_t num_rows = oc * group_ic * kh;
  for (int64_t row = 0; row < num_rows; ++row) {
    const int64_t o = row / (group_ic * kh), ky = row % kh;
    const int64_t c = o / (oc / conv.groups) * group_ic + row / kh % group_ic;
    for (int64_t kx = 0; kx < kw; ++kx) {
      const int64_t lane = ky % fold.rows.size * fold.columns.size + kx % fold.columns.size;
      const int64_t channel = (o * fold.channels() + lane) * channels + c;
      const int64_t tap = ky / fold.rows.size * tw + kx / fold.columns.size;
      to[static_cast<size_t>(channel * th * tw + tap)] = from[static_cast<size_t>(row * kw + kx)];
    }
  }
  return result;
}

// The search for the cheapest fold of a convolution.
class FoldSearch {
 public:
  FoldSearch(const Graph& graph, const Node& conv, const LayerContext& context)
      : conv_(conv),
        input_(graph.node(conv.inputs[0]).type),
        group_channels_(graph.node(conv.inputs[1]).type.shape[1]),
        requantization_(requantization_of(graph, conv)),
        context_(context) {}

  Fold run() const {
    std::vector<std::pair<int64_t, Fold>> folds;  // with their products
    for (const Fold& fold : candidates()) folds.push_back({num_products(fold), fold});
    std::ranges::sort(folds, {}, [](const auto& candidate) {
      const Fold& fold = candidate.second;
      return std::tuple(candidate.first, fold.rows.size, fold.columns.size);
    });
    std::optional<Fold> best;
    double best_cycles = 0;
    for (const auto& [products, fold] : folds) {
      // The cost of a tiling is at least the cycles of its products.
      const double least_cycles = static_cast<double>(products) / context_.core.pixels;
      if (best && least_cycles >= best_cycles) break;
      const double cycles = cost_cycles(fold);
      if (best && cycles >= best_cycles) continue;
      best = fold;
      best_cycles = cycles;
    }
    VTA_ASSERT(best.has_value(), "a convolution as it is, is a fold");
    return *best;
  }

 private:
  std::vector<Fold> candidates() const {
    std::vector<Fold> folds;
    for (int64_t rows : fold_sizes(conv_.attrs, 0)) {
      for (int64_t columns : fold_sizes(conv_.attrs, 1)) {
        const Fold fold{axis(0, rows), axis(1, columns)};
        const bool is_small =
            fold.channels() == 1 || fold.channels() * input_.shape[1] <= kMaxChannels;
        if (is_small && fold.rows.is_legal() && fold.columns.is_legal()) folds.push_back(fold);
      }
    }
    return folds;
  }

  AxisFold axis(size_t axis, int64_t size) const {
    return fold_axis(conv_.attrs, axis, input_.shape[2 + axis], conv_.type.shape[2 + axis], size);
  }

  ConvShape shape_of(const Fold& fold) const {
    const TensorType unfolded = infer_type(OpKind::kUnfold2d, fold.unfold({}, 0), {input_});
    return conv_shape_of(conv_.kind, fold.convolution(conv_.attrs, group_channels_), unfolded,
                         conv_.type, context_.core);
  }

  // Products of pairs of blocks, without padding: the least micro-ops of GEMM.
  int64_t num_products(const Fold& fold) const {
    const ConvShape shape = shape_of(fold);
    const auto inside = [](const ConvAxis& axis) {
      const std::vector<AxisTap> taps = axis_taps(axis);
      const auto num = static_cast<int64_t>(taps.size());
      return counts_of(tap_ranges(axis, taps, 0, num, {0, axis.out}, /*clips=*/true)).products;
    };
    return shape.image_groups * cut_blocks(shape, 1, 1).pairs * inside(shape.rows) *
           inside(shape.columns);
  }

  double cost_cycles(const Fold& fold) const {
    ConvLayer layer;
    layer.shape = shape_of(fold);
    layer.requantization = requantization_;
    layer.zero = conv_.attrs.zero;
    return find_tiling(tiling_problem(layer, context_), context_.core)->tiling.cost.total_cycles;
  }

  const Node& conv_;
  const TensorType input_;
  const int64_t group_channels_;
  const Requantization requantization_;
  const LayerContext& context_;
};

bool is_thin_on_core(const Graph& graph, const Node& node, const CoreConfig& core) {
  if (node.kind != OpKind::kQConv2d || !node.on_core) return false;
  const Node& input = graph.node(node.inputs[0]);
  return !input.on_core && input.type.shape[1] < core.block_in;
}

void unfold_input(Graph& graph, NodeId id, const LayerContext& context) {
  const Node conv = graph.node(id);
  const Node& input = graph.node(conv.inputs[0]);
  const Tensor& weights = graph.node(conv.inputs[1]).value;
  const Fold fold = FoldSearch(graph, conv, context).run();
  const auto before = conv.attrs_of<OpKind::kQConv2d>();
  const auto attrs = fold.convolution(before, weights.dim(1));
  // It has one zero point, of the numbers and of padding. A model may quantize with another one
  // than its layer reads with.
  const bool quantizes = input.kind == OpKind::kQuantize && input.attrs.zero == conv.attrs.zero;
  const OpAttrs unfold = fold.unfold(quantizes ? input.attrs : OpAttrs{}, conv.attrs.zero);
  const NodeId source = quantizes ? input.inputs[0] : input.id;
  std::vector<NodeId> inputs = conv.inputs;
  if (attrs != before) {
    inputs[1] = graph.insert_constant_before(id, graph.free_name(conv.name + ".unfolded"),
                                             unfolded_weights(weights, conv.attrs, fold));
  }
  inputs[0] = graph.insert_before(id, OpKind::kUnfold2d, graph.free_name(conv.name + ".unfold"),
                                  {source}, unfold);
  graph.set_inputs(id, std::move(inputs));
  graph.node(id).attrs = attrs;
}

}  // namespace

void unfold_inputs(Graph& graph, const CoreConfig& core, Mode mode) {
  TilingCache tilings;
  const LayerContext context(core, mode, /*overlaps=*/mode == Mode::kFused, /*schedules=*/nullptr,
                             tilings);
  const std::vector<NodeId> order = graph.order();
  for (NodeId id : order) {
    if (is_thin_on_core(graph, graph.node(id), core)) unfold_input(graph, id, context);
  }
  graph.erase_dead();
}

}  // namespace vta::lower
