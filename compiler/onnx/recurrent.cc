// SPDX-License-Identifier: Apache-2.0
//
// LSTM, GRU and RNN, unrolled: one dense layer for the inputs of all steps, and one per step for
// the state.
#include <algorithm>
#include <map>
#include <tuple>

#include "base/errors/counted.h"
#include "compiler/onnx/node_context.h"
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

constexpr int64_t kMaxSteps = 512;
constexpr int64_t kMaxHiddenSize = int64_t{1} << 24;  // sizes of weights stay within 64 bits

// A cell: `gates` rows of weights per unit of the state.
struct Cell {
  int64_t gates;
  bool has_memory;  // LSTM's second state
  std::vector<std::string> activations;
};

class RecurrentImport {
 public:
  RecurrentImport(NodeContext& node, Cell cell) : node_(node), cell_(std::move(cell)) {}

  void run() {
    read_attributes();
    read_sizes();
    std::vector<NodeId> sequences, states, memories;
    for (int64_t d = 0; d < directions_; ++d) {
      const bool backward = direction_ == "reverse" || d == 1;
      sequences.push_back(sequence(d, backward));
      states.push_back(node_.reshaped(state_, {1, batch_, size_}));
      if (cell_.has_memory) memories.push_back(node_.reshaped(memory_, {1, batch_, size_}));
    }
    const ElementType type = node_.input(0).type;
    const auto by_layout = [&](NodeId x, const Dims& perm) {
      return layout_ == 1 ? node_.transposed(x, perm) : x;
    };
    node_.set_result(by_layout(concatenated(node_, sequences, 1), {2, 0, 1, 3}), type, 0);
    node_.set_result(by_layout(concatenated(node_, states, 0), {1, 0, 2}), type, 1);
    if (cell_.has_memory)
      node_.set_result(by_layout(concatenated(node_, memories, 0), {1, 0, 2}), type, 2);
  }

 private:
  void read_attributes() {
    direction_ = node_.text("direction", "forward");
    if (direction_ != "forward" && direction_ != "reverse" && direction_ != "bidirectional")
      fail(ErrorCode::kCorrupt, "attribute 'direction' is '{}'", printable(direction_));
    directions_ = direction_ == "bidirectional" ? 2 : 1;
    size_ = node_.integer("hidden_size", 0);
    if (size_ < 1 || size_ > kMaxHiddenSize)
      fail(ErrorCode::kCorrupt, "attribute 'hidden_size' is {}, expected 1 to {}", size_,
           kMaxHiddenSize);
    layout_ = node_.version() >= 14 ? node_.integer("layout", 0) : 0;
    if (cell_.gates == 3) linear_before_reset_ = node_.flag("linear_before_reset", false);
    if (cell_.has_memory && node_.flag("input_forget", false))
      node_.refuse("attribute 'input_forget' is 1, supported is 0");
    if (const Attribute* given = node_.attribute("activations")) {
      std::vector<std::string> expected = cell_.activations;
      if (directions_ == 2)
        expected.insert(expected.end(), cell_.activations.begin(), cell_.activations.end());
      if (given->texts != expected) {
        node_.refuse("attribute 'activations' is [{}], supported is [{}]",
                     printable(fmt::format("{}", fmt::join(given->texts, ", "))),
                     fmt::join(expected, ", "));
      }
    }
  }

  void read_sizes() {
    const Dims& x = node_.input(0).dims;
    if (x.size() != 3)
      fail(ErrorCode::kCorrupt, "input 0 has {}, expected 3", counted(x.size(), "axis"));
    steps_ = x[layout_ == 1 ? 1 : 0];
    batch_ = x[layout_ == 1 ? 0 : 1];
    if (steps_ > kMaxSteps)
      node_.refuse("{}, supported are {}", counted(steps_, "step"), kMaxSteps);
    need_dims(1, {directions_, cell_.gates * size_, x[2]});
    need_dims(2, {directions_, cell_.gates * size_, size_});
    if (node_.has_input(3)) need_dims(3, {directions_, 2 * cell_.gates * size_});
    if (node_.has_input(4)) {
      const Array& lengths = node_.constant(4, "sequence_lens");
      const bool are_full = std::all_of(lengths.ints.begin(), lengths.ints.end(),
                                        [&](int64_t length) { return length == steps_; });
      if (!are_full) node_.refuse("sequences of different lengths are not supported");
    }
  }

  void need_dims(size_t index, const Dims& dims) {
    if (node_.input(index).dims != dims)
      fail(ErrorCode::kCorrupt, "input {} is [{}], expected [{}]", index,
           fmt::join(node_.input(index).dims, ", "), fmt::join(dims, ", "));
  }

  NodeId sliced(NodeId x, size_t axis, int64_t begin, int64_t end) {
    return node_.sliced(x, axis, begin, end);
  }

  // Rows of the gates `first` to first + count of a parameter. Cut once for all steps: a slice of
  // constants is a constant of its own.
  NodeId gate_rows(NodeId parameter, int64_t first, int64_t count) {
    const auto [at, is_new] = gate_rows_.try_emplace(std::tuple(parameter, first, count), -1);
    if (is_new) at->second = sliced(parameter, 0, first * size_, (first + count) * size_);
    return at->second;
  }

  // Input `index` of direction d, without the axis of directions.
  NodeId parameter(size_t index, int64_t d) {
    const NodeId all = node_.float_operand(index);
    Dims dims = node_.shape_of(all);
    dims.erase(dims.begin());
    return node_.reshaped(sliced(all, 0, d, d + 1), dims);
  }

  NodeId initial(size_t index, int64_t d) {
    if (!node_.has_input(index))
      return node_.add_constant(Tensor({DType::kFloat32, {batch_, size_}}));
    NodeId all = node_.float_operand(index);
    if (layout_ == 1) all = node_.transposed(all, {1, 0, 2});
    return node_.reshaped(sliced(all, 0, d, d + 1), {batch_, size_});
  }

  // rows [n, ic] times weights [oc, ic]
  NodeId product(NodeId rows, NodeId weights) {
    if (node_.is_constant(weights)) return node_.add(OpKind::kDense, {rows, weights});
    return node_.add(OpKind::kMatmul, {rows, node_.transposed(weights, {1, 0})});
  }
  NodeId sum(NodeId a, NodeId b) { return node_.add(OpKind::kAdd, {a, b}); }
  NodeId times(NodeId a, NodeId b) { return node_.add(OpKind::kMul, {a, b}); }
  NodeId sigmoid(NodeId x) { return node_.add(OpKind::kSigmoid, {x}); }
  NodeId tanh(NodeId x) { return node_.add(OpKind::kTanh, {x}); }
  NodeId gate(NodeId all, int64_t index, int64_t count = 1) {
    return sliced(all, 1, index * size_, (index + count) * size_);
  }

  // The states of all steps: [steps, 1, batch, size].
  NodeId sequence(int64_t d, bool backward) {
    NodeId x = node_.float_operand(0);
    if (layout_ == 1) x = node_.transposed(x, {1, 0, 2});
    x = node_.reshaped(x, {steps_ * batch_, node_.input(0).dims[2]});
    NodeId gates = product(x, parameter(1, d));
    recurrent_ = parameter(2, d);
    state_bias_ = -1;
    if (node_.has_input(3)) {
      const int64_t count = cell_.gates * size_;
      const NodeId bias = parameter(3, d);
      state_bias_ = sliced(bias, 0, count, 2 * count);
      gates = sum(gates, sliced(bias, 0, 0, count));
    }
    state_ = initial(5, d);
    if (cell_.has_memory) memory_ = initial(6, d);
    peephole_ = cell_.has_memory && node_.has_input(7) ? parameter(7, d) : -1;
    std::vector<NodeId> states(static_cast<size_t>(steps_));
    for (int64_t i = 0; i < steps_; ++i) {
      const int64_t t = backward ? steps_ - 1 - i : i;
      step(sliced(gates, 0, t * batch_, (t + 1) * batch_));
      states[static_cast<size_t>(t)] = node_.reshaped(state_, {1, 1, batch_, size_});
    }
    return concatenated(node_, states, 0);
  }

  void step(NodeId x) {
    if (cell_.gates == 4) return lstm_step(x);
    if (cell_.gates == 3) return gru_step(x);
    state_ = tanh(sum(x, with_bias(product(state_, recurrent_), 0, 1)));
  }

  // Adds the state's biases of gates `first` to first + count.
  NodeId with_bias(NodeId x, int64_t first, int64_t count) {
    if (state_bias_ < 0) return x;
    return sum(x, gate_rows(state_bias_, first, count));
  }

  // Gates i, o, f, c.
  void lstm_step(NodeId x) {
    const NodeId all = sum(x, with_bias(product(state_, recurrent_), 0, 4));
    const auto gated = [&](int64_t index, NodeId memory) {
      const NodeId value = gate(all, index);
      if (peephole_ < 0) return sigmoid(value);
      return sigmoid(sum(value, times(memory, gate_rows(peephole_, index, 1))));
    };
    const NodeId in = gated(0, memory_), forget = gated(2, memory_);
    memory_ = sum(times(forget, memory_), times(in, tanh(gate(all, 3))));
    state_ = times(gated(1, memory_), tanh(memory_));
  }

  // Gates z, r, h.
  void gru_step(NodeId x) {
    const NodeId update_weights = gate_rows(recurrent_, 0, 2);
    const NodeId hidden_weights = gate_rows(recurrent_, 2, 1);
    const NodeId both =
        sigmoid(sum(gate(x, 0, 2), with_bias(product(state_, update_weights), 0, 2)));
    const NodeId z = gate(both, 0), r = gate(both, 1);
    const NodeId hidden = linear_before_reset_
                              ? times(r, with_bias(product(state_, hidden_weights), 2, 1))
                              : with_bias(product(times(r, state_), hidden_weights), 2, 1);
    const NodeId h = tanh(sum(gate(x, 2), hidden));
    // (1 - z) * h + z * state
    state_ = sum(h, times(z, node_.add(OpKind::kSub, {state_, h})));
  }

  NodeContext& node_;
  const Cell cell_;
  std::string direction_;
  bool linear_before_reset_ = false;
  int64_t directions_ = 1, layout_ = 0, size_ = 0, steps_ = 0, batch_ = 0;
  // State of the current direction and step:
  std::map<std::tuple<NodeId, int64_t, int64_t>, NodeId> gate_rows_;
  NodeId recurrent_ = -1, state_bias_ = -1, peephole_ = -1, state_ = -1, memory_ = -1;
};

}  // namespace

void lstm(NodeContext& node) {
  RecurrentImport(node, {4, true, {"Sigmoid", "Tanh", "Tanh"}}).run();
}
void gru(NodeContext& node) { RecurrentImport(node, {3, false, {"Sigmoid", "Tanh"}}).run(); }
void rnn(NodeContext& node) { RecurrentImport(node, {1, false, {"Tanh"}}).run(); }

}  // namespace vta::onnx
