// SPDX-License-Identifier: Apache-2.0
//
// Einsum: operands are contracted in pairs, each as one batched matrix product.
#include <algorithm>
#include <map>

#include "base/errors/counted.h"
#include "compiler/onnx/node_context.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// Axes are named by letters, or by digits, from the last axis on, if an ellipsis stands for them.
struct Term {
  NodeId node = -1;
  std::string labels;
};

bool has(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

class EinsumImport {
 public:
  explicit EinsumImport(NodeContext& node) : node_(node) {}

  void run() {
    read_equation();
    Term total = terms_[0];
    for (size_t i = 1; i < terms_.size(); ++i) {
      std::string needed = result_;
      for (size_t k = i + 1; k < terms_.size(); ++k) needed += terms_[k].labels;
      total = product(reduced(total, needed + terms_[i].labels),
                      reduced(terms_[i], needed + total.labels), needed);
    }
    total = ordered(reduced(total, result_), result_);
    Dims dims;
    for (char label : result_) dims.push_back(sizes_.at(label));
    node_.set_result(node_.reshaped(total.node, dims), node_.input(0).type, dims);
  }

 private:
  void read_equation() {
    std::string equation = node_.text("equation", "");
    equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
    const size_t arrow = equation.find("->");
    std::string left = equation.substr(0, arrow);
    std::vector<std::string> lists(1);
    for (char c : left) {
      if (c == ',') {
        lists.emplace_back();
      } else {
        lists.back() += c;
      }
    }
    if (lists.size() != node_.num_inputs())
      fail(ErrorCode::kCorrupt, "the equation has {} operands, the node {}", lists.size(),
           node_.num_inputs());
    for (size_t i = 0; i < lists.size(); ++i) add_term(i, lists[i]);
    result_ = arrow == std::string::npos ? implicit_result()
                                         : expanded(equation.substr(arrow + 2), num_omitted_);
    for (char label : result_) {
      if (!sizes_.contains(label) || std::count(result_.begin(), result_.end(), label) != 1)
        fail(ErrorCode::kCorrupt, "result '{}' of the equation", printable(result_));
    }
  }

  // The ellipsis as `count` labels.
  std::string expanded(const std::string& list, size_t count) const {
    std::string labels;
    for (size_t i = 0; i < list.size(); ++i) {
      if (list.compare(i, 3, "...") == 0) {
        for (size_t k = count; k-- > 0;) labels += static_cast<char>('0' + k);
        i += 2;
      } else if (std::isalpha(static_cast<unsigned char>(list[i])) != 0) {
        labels += list[i];
      } else {
        fail(ErrorCode::kCorrupt, "'{}' in the equation", printable(list));
      }
    }
    return labels;
  }

  void add_term(size_t index, const std::string& list) {
    const Dims& dims = node_.input(index).dims;
    const bool has_ellipsis = list.find("...") != std::string::npos;
    const size_t named = list.size() - (has_ellipsis ? 3 : 0);
    const size_t omitted = has_ellipsis && dims.size() >= named ? dims.size() - named : 0;
    num_omitted_ = std::max(num_omitted_, omitted);
    Term term{node_.float_operand(index), expanded(list, omitted)};
    if (term.labels.size() != dims.size())
      fail(ErrorCode::kCorrupt, "'{}' for an operand of {}", printable(list),
           counted(dims.size(), "axis"));
    for (size_t i = 0; i < dims.size(); ++i) {
      const auto [at, is_new] = sizes_.emplace(term.labels[i], dims[i]);
      if (!is_new && at->second != dims[i])
        node_.refuse("axis '{}' has {} and {}", term.labels[i], at->second,
                     counted(dims[i], "element"));
      if (std::count(term.labels.begin(), term.labels.end(), term.labels[i]) != 1)
        node_.refuse("axis '{}' of one operand twice (a diagonal)", term.labels[i]);
    }
    terms_.push_back(term);
  }

  // The axes of one operand only, in order.
  std::string implicit_result() const {
    std::string all, result;
    for (const Term& term : terms_) all += term.labels;
    std::sort(all.begin(), all.end());
    for (size_t k = num_omitted_; k-- > 0;) result += static_cast<char>('0' + k);
    for (char label : all) {
      if (std::isdigit(static_cast<unsigned char>(label)) == 0 &&
          std::count(all.begin(), all.end(), label) == 1)
        result += label;
    }
    return result;
  }

  Dims dims_of(const std::string& labels) const {
    Dims dims;
    for (char label : labels) dims.push_back(sizes_.at(label));
    return dims;
  }
  int64_t size_of(const std::string& labels) const { return num_elems(dims_of(labels)); }

  // Sums over the axes that are not needed.
  Term reduced(const Term& term, const std::string& needed) {
    Dims axes;
    std::string labels;
    for (size_t i = 0; i < term.labels.size(); ++i) {
      if (has(needed, term.labels[i])) {
        labels += term.labels[i];
      } else {
        axes.push_back(static_cast<int64_t>(i));
      }
    }
    if (axes.empty()) return term;
    const NodeId sum = node_.reduce(Reduction::kSum, term.node, axes);
    return {node_.reshaped(sum, dims_of(labels)), labels};
  }

  Term ordered(const Term& term, const std::string& labels) {
    Dims perm;
    for (char label : labels) perm.push_back(static_cast<int64_t>(term.labels.find(label)));
    return {perm.size() < 2 ? term.node : node_.transposed(term.node, perm), labels};
  }

  // Axes of both operands are either kept (the batch of the matrix product) or summed over.
  Term product(const Term& a, const Term& b, const std::string& needed) {
    std::string batch, inner, rows, columns;
    for (char label : a.labels)
      (!has(b.labels, label) ? rows : has(needed, label) ? batch : inner) += label;
    for (char label : b.labels) {
      if (!has(a.labels, label)) columns += label;
    }
    const auto matrices = [&](const Term& term, const std::string& first,
                              const std::string& second) {
      const NodeId moved = ordered(term, batch + first + second).node;
      return node_.reshaped(moved, {size_of(batch), size_of(first), size_of(second)});
    };
    const NodeId result =
        node_.add(OpKind::kMatmul, {matrices(a, rows, inner), matrices(b, inner, columns)});
    const std::string labels = batch + rows + columns;
    return {node_.reshaped(result, dims_of(labels)), labels};
  }

  NodeContext& node_;
  std::vector<Term> terms_;
  std::map<char, int64_t> sizes_;
  size_t num_omitted_ = 0;  // axes of the longest ellipsis
  std::string result_;
};

}  // namespace

void einsum(NodeContext& node) { EinsumImport(node).run(); }

}  // namespace vta::onnx
