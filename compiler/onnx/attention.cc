// SPDX-License-Identifier: Apache-2.0
//
// Attention and RotaryEmbedding as matrix products, sums and softmax.
#include <cmath>
#include <limits>

#include "base/errors/counted.h"
#include "compiler/onnx/graph_limits.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// [batch, sequence, heads * size] -> [batch, heads, sequence, size]
NodeId split_heads(NodeContext& node, NodeId x, int64_t heads, const char* attribute) {
  const Dims dims = node.shape_of(x);
  if (heads < 1 || dims[2] % heads != 0) {
    fail(ErrorCode::kCorrupt, "attribute '{}' is {}, expected a divisor of {}", attribute, heads,
         dims[2]);
  }
  const NodeId split = node.reshaped(x, {dims[0], dims[1], heads, dims[2] / heads});
  return node.transposed(split, {0, 2, 1, 3});
}

// The inverse.
NodeId join_heads(NodeContext& node, NodeId x) {
  const NodeId moved = node.transposed(x, {0, 2, 1, 3});
  const Dims dims = node.shape_of(moved);
  return node.reshaped(moved, {dims[0], dims[1], dims[2] * dims[3]});
}

NodeId joined(NodeContext& node, NodeId a, NodeId b, int64_t axis) {
  return node.add(OpKind::kConcat, {a, b}, Attrs<OpKind::kConcat>(attr::axis{axis}));
}

// Every head `times` times in succession.
NodeId repeated_heads(NodeContext& node, NodeId x, int64_t times) {
  if (times == 1) return x;
  const Dims dims = node.shape_of(x);
  const Attrs<OpKind::kTile> attrs(attr::repeats{{1, 1, times, 1, 1}});
  x = node.add(OpKind::kTile, {node.reshaped(x, {dims[0], dims[1], 1, dims[2], dims[3]})}, attrs);
  return node.reshaped(x, {dims[0], dims[1] * times, dims[2], dims[3]});
}

// One call of attention(), for a node of version 23 or 24.
class AttentionImport {
 public:
  explicit AttentionImport(NodeContext& node) : node_(node) {}

  void run() {
    read_operands();
    if (node_.version() >= 24 && node_.has_input(6))
      node_.refuse("input 6 (nonpad_kv_seqlen) is not supported");
    const double scale = node_.number("scale", 1 / std::sqrt(double(node_.shape_of(q_)[3])));
    const int64_t mode = node_.integer("qk_matmul_output_mode", 0);
    if (node_.has_attr("softmax_precision")) node_.integer("softmax_precision", 1);  // float32
    const NodeId keys = node_.transposed(repeated_heads(node_, k_, groups_), {0, 1, 3, 2});
    NodeId scores = node_.add(OpKind::kMatmul, {scaled(q_, scale), keys});
    NodeId shown = scores;
    if (const double cap = node_.number("softcap", 0); cap > 0) {
      scores = scaled(node_.add(OpKind::kTanh, {scaled(scores, 1 / cap)}), cap);
      if (mode <= 1) shown = scores;
    }
    scores = masked(scores);
    if (mode == 2) shown = scores;
    const Attrs<OpKind::kSoftmax> last(attr::axis{3});
    const NodeId weights = node_.add(OpKind::kSoftmax, {scores}, last);
    if (mode == 3) shown = weights;
    NodeId result = node_.add(OpKind::kMatmul, {weights, repeated_heads(node_, v_, groups_)});
    if (node_.rank(0) == 3) result = join_heads(node_, result);
    const ElementType type = node_.input(0).type;
    node_.set_result(result, type);
    node_.set_result(k_, type, 1);
    node_.set_result(v_, type, 2);
    node_.set_result(shown, type, 3);
  }

 private:
  void read_operands() {
    q_ = node_.float_operand(0);
    k_ = node_.float_operand(1);
    v_ = node_.float_operand(2);
    const int64_t heads = node_.integer("q_num_heads", 0);
    const int64_t kv_heads = node_.integer("kv_num_heads", 0);
    for (size_t i = 0; i < 3; ++i) {
      if (node_.rank(i) != node_.rank(0) || node_.rank(i) < 3 || node_.rank(i) > 4)
        fail(ErrorCode::kCorrupt, "input {} has {}, expected 3 or 4, as input 0", i,
             counted(node_.rank(i), "axis"));
    }
    if (node_.rank(0) == 3) {
      q_ = split_heads(node_, q_, heads, "q_num_heads");
      k_ = split_heads(node_, k_, kv_heads, "kv_num_heads");
      v_ = split_heads(node_, v_, kv_heads, "kv_num_heads");
    }
    for (size_t i : {size_t{4}, size_t{5}}) {
      if (node_.has_input(i) && node_.rank(i) != 4)
        fail(ErrorCode::kCorrupt, "input {} has {}, expected 4", i, counted(node_.rank(i), "axis"));
    }
    past_ = node_.has_input(4) ? node_.input(4).dims[2] : 0;
    if (node_.has_input(4)) k_ = joined(node_, node_.float_operand(4), k_, 2);
    if (node_.has_input(5)) v_ = joined(node_, node_.float_operand(5), v_, 2);
    const int64_t of_q = node_.shape_of(q_)[1], of_k = node_.shape_of(k_)[1];
    if (of_k != node_.shape_of(v_)[1] || of_q % of_k != 0)
      fail(ErrorCode::kCorrupt, "{} heads of Q do not match {} of K", of_q, of_k);
    groups_ = of_q / of_k;
  }

  NodeId scaled(NodeId x, double factor) {
    return factor == 1 ? x : node_.add(OpKind::kMul, {x, node_.add_scalar(factor)});
  }

  NodeId masked(NodeId scores) {
    if (node_.has_input(3)) scores = masked_by_input(scores);
    if (!node_.flag("is_causal", false)) return scores;
    const Dims& dims = node_.shape_of(scores);
    Tensor mask = new_constant({dims[2], dims[3]});
    const auto values = mask.mutable_data<float>();
    for (int64_t i = 0; i < dims[2] * dims[3]; ++i) {
      values[static_cast<size_t>(i)] = i % dims[3] <= i / dims[3] + past_ ? 1.0f : 0.0f;
    }
    return selected(node_.add_constant(mask), scores);
  }

  NodeId masked_by_input(NodeId scores) {
    const bool is_choice = node_.input(3).type == ElementType::kBool;
    NodeId mask = is_choice ? node_.small_operand(3) : node_.unbounded_operand(3);
    const int64_t missing = node_.shape_of(scores)[3] - node_.shape_of(mask).back();
    if (missing != 0 && node_.shape_of(mask).back() != 1)
      node_.refuse("input 3 (attn_mask) masks {} of {}", node_.shape_of(mask).back(),
                   counted(node_.shape_of(scores)[3], "key"));
    return is_choice ? selected(mask, scores) : node_.add(OpKind::kAdd, {scores, mask});
  }

  // The scores where the mask is not 0; elsewhere minus infinity.
  NodeId selected(NodeId mask, NodeId scores) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return node_.add(OpKind::kWhere, {mask, scores, node_.add_unbounded(-kInfinity)});
  }

  NodeContext& node_;
  NodeId q_ = -1, k_ = -1, v_ = -1;
  int64_t groups_ = 1;  // heads of Q for a head of K
  int64_t past_ = 0;    // earlier positions
};

// Cosines or sines as [batch, sequence, 1, half].
NodeId angles(NodeContext& node, size_t index, int64_t half) {
  NodeId cache = node.float_operand(index);
  if (node.has_input(3)) {
    const Attrs<OpKind::kGather> first(attr::axis{0});
    cache = node.add(OpKind::kGather, {cache, node.index_operand(3)}, first);
  }
  const Dims dims = node.shape_of(cache);
  if (dims.size() != 3 || dims[2] != half)
    fail(ErrorCode::kCorrupt, "input {} is [{}], expected {} angles per position", index,
         fmt::join(dims, ", "), half);
  return node.reshaped(cache, {dims[0], dims[1], 1, dims[2]});
}

}  // namespace

void attention(NodeContext& node) { AttentionImport(node).run(); }

void rotary_embedding(NodeContext& node) {
  NodeId x = node.float_operand(0);
  const bool is_interleaved = node.flag("interleaved", false);
  const int64_t heads = node.integer("num_heads", 0);
  int64_t rotated = node.integer("rotary_embedding_dim", 0);
  const bool has_heads = node.rank(0) == 4;
  if (!has_heads && node.rank(0) != 3)
    fail(ErrorCode::kCorrupt, "input 0 has {}, expected 3 or 4", counted(node.rank(0), "axis"));
  x = has_heads ? x : split_heads(node, x, heads, "num_heads");
  x = node.transposed(x, {0, 2, 1, 3});
  const Dims dims = node.shape_of(x);
  const int64_t size = dims[3];
  if (rotated == 0) rotated = size;
  if (rotated < 2 || rotated > size || rotated % 2 != 0)
    fail(ErrorCode::kCorrupt, "rotary_embedding_dim {} of {}", rotated, size);
  const int64_t half = rotated / 2;
  const NodeId a =
      is_interleaved ? node.sliced(x, 3, 0, rotated - 1, 2) : node.sliced(x, 3, 0, half);
  const NodeId b =
      is_interleaved ? node.sliced(x, 3, 1, rotated, 2) : node.sliced(x, 3, half, rotated);
  const NodeId cosine = angles(node, 1, half), sine = angles(node, 2, half);
  const auto times = [&](NodeId y, NodeId z) { return node.add(OpKind::kMul, {y, z}); };
  NodeId real = node.add(OpKind::kSub, {times(cosine, a), times(sine, b)});
  NodeId imaginary = node.add(OpKind::kAdd, {times(sine, a), times(cosine, b)});
  if (is_interleaved) {
    const Dims column = {dims[0], dims[1], dims[2], half, 1};
    real = node.reshaped(real, column);
    imaginary = node.reshaped(imaginary, column);
  }
  NodeId result = joined(node, real, imaginary, -1);
  result = node.reshaped(result, {dims[0], dims[1], dims[2], rotated});
  if (rotated < size) result = joined(node, result, node.sliced(x, 3, rotated, size), -1);
  result =
      has_heads ? node.transposed(result, {0, 2, 1, 3}) : node.reshaped(result, node.input(0).dims);
  node.set_result(result, node.input(0).type);
}

}  // namespace vta::onnx
