// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/errors/counted.h"
#include "compiler/onnx/window.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

struct Convolution {
  Dims image;    // [n, ic, h, w]
  Dims weights;  // with four axes
  NodeId x = -1, w = -1, b = -1;

  std::vector<NodeId> operands() const { return b < 0 ? std::vector{x, w} : std::vector{x, w, b}; }
};

Convolution read_operands(NodeContext& node) {
  Convolution conv;
  conv.image = image_dims(node, node.input(0).dims, "input 0");
  conv.weights = image_dims(node, node.input(1).dims, "input 1");
  if (node.rank(0) != node.rank(1)) {
    fail(ErrorCode::kCorrupt, "the input has {}, the weights have {}",
         counted(node.rank(0), "axis"), node.rank(1));
  }
  conv.x = node.reshaped(node.float_operand(0), conv.image);
  conv.w = node.reshaped(node.float_operand(1), conv.weights);
  if (node.has_input(2)) conv.b = node.float_operand(2);
  return conv;
}

int64_t read_groups(NodeContext& node) {
  const int64_t groups = node.integer("group", 1);
  if (groups < 1) fail(ErrorCode::kCorrupt, "attribute 'group' is {}", groups);
  return groups;
}

// Pads and output padding, so that the result of a transposed convolution has the size that ONNX
// specifies.
void read_transpose_pads(NodeContext& node, const Dims& image,
                         Attrs<OpKind::kConv2dTranspose>& attrs) {
  const Dims output_pad = spatial_list(node, "output_padding", 0).value_or(Dims{0, 0});
  attrs.output_pad = {output_pad[0], output_pad[1]};
  const std::string mode = node.text("auto_pad", "NOTSET");
  const bool is_same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (!is_same && mode != "NOTSET" && mode != "VALID") {
    node.refuse("attribute 'auto_pad' is '{}'", printable(mode));
  }
  std::optional<Dims> size = spatial_list(node, "output_shape", 1);
  if (is_same && !size) {
    size = Dims{image[2] * attrs.stride[0], image[3] * attrs.stride[1]};
  }
  if (!size) {
    const auto num_axes = static_cast<size_t>(node.rank(0)) - 2;
    const Dims pads = node.integers("pads").value_or(Dims(2 * num_axes, 0));
    if (pads.size() != 2 * num_axes) {
      fail(ErrorCode::kCorrupt, "attribute 'pads' has {}, expected {}",
           counted(pads.size(), "number"), 2 * num_axes);
    }
    if (mode != "VALID") {
      for (size_t i = 0; i < num_axes; ++i) {
        attrs.pad[i + 2 - num_axes] = pads[i];
        attrs.pad[i + 4 - num_axes] = pads[i + num_axes];
      }
    }
    return;
  }
  node.integers("pads");  // ignored: output_shape takes precedence
  for (size_t i = 0; i < 2; ++i) {
    const int64_t extent = (attrs.kernel[i] - 1) * attrs.dilation[i] + 1;
    const int64_t total =
        attrs.stride[i] * (image[2 + i] - 1) + attrs.output_pad[i] + extent - (*size)[i];
    const int64_t pad = std::max<int64_t>(total, 0);
    attrs.pad[i] = mode == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
    attrs.pad[i + 2] = pad - attrs.pad[i];
    attrs.output_pad[i] += std::max<int64_t>(-total, 0);
  }
}

}  // namespace

void conv(NodeContext& node) {
  const Convolution conv = read_operands(node);
  Attrs<OpKind::kConv2d> attrs = read_window(node, conv.image, {conv.weights[2], conv.weights[3]});
  attrs.groups = read_groups(node);
  set_image_result(node, node.add(OpKind::kConv2d, conv.operands(), attrs), node.input(0).type);
}

void conv_transpose(NodeContext& node) {
  const Convolution conv = read_operands(node);
  Attrs<OpKind::kConv2dTranspose> attrs =
      read_window(node, conv.image, {conv.weights[2], conv.weights[3]}, {.pads_itself = true});
  attrs.groups = read_groups(node);
  read_transpose_pads(node, conv.image, attrs);
  set_image_result(node, node.add(OpKind::kConv2dTranspose, conv.operands(), attrs),
                   node.input(0).type);
}

}  // namespace vta::onnx
