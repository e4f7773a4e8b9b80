// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/op.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <variant>

namespace vta {
namespace {

struct OpEntry {
  const char* name;
  int min_inputs;
  int max_inputs;
};

constexpr OpEntry kOps[] = {
#define VTA_OP(kind, name, min_inputs, max_inputs) {name, min_inputs, max_inputs},
#include "runtime/tensor/ops.def"
};

const OpEntry& entry(OpKind kind) {
  const auto index = static_cast<size_t>(kind);
  VTA_ASSERT(index < std::size(kOps), "an operator of ops.def");
  return kOps[index];
}

using Pair = std::array<int64_t, 2>;
using Quad = std::array<int64_t, 4>;
using List = std::vector<int64_t>;
using Member = std::variant<Pair OpAttrs::*, Quad OpAttrs::*, List OpAttrs::*, int64_t OpAttrs::*,
                            bool OpAttrs::*, double OpAttrs::*>;

struct Field {
  const char* name;
  Member member;
};

// Every attribute, in the order in which text shows them.
const std::vector<Field>& fields() {
  static const std::vector<Field> all = {
      {"kernel", &OpAttrs::kernel},   {"stride", &OpAttrs::stride},
      {"pad", &OpAttrs::pad},         {"dilation", &OpAttrs::dilation},
      {"groups", &OpAttrs::groups},   {"ceil_mode", &OpAttrs::ceil_mode},
      {"epsilon", &OpAttrs::epsilon}, {"count_include_pad", &OpAttrs::count_include_pad},
      {"begin", &OpAttrs::begin},     {"end", &OpAttrs::end},
      {"step", &OpAttrs::step},       {"before", &OpAttrs::before},
      {"after", &OpAttrs::after},     {"frac_bits", &OpAttrs::frac_bits},
      {"divisor", &OpAttrs::divisor}, {"shift_a", &OpAttrs::shift_a},
      {"shift_b", &OpAttrs::shift_b}, {"shift", &OpAttrs::shift},
      {"relu", &OpAttrs::relu},       {"lo", &OpAttrs::lo},
      {"hi", &OpAttrs::hi},           {"index", &OpAttrs::index},
  };
  return all;
}

std::string value_text(int64_t value) { return fmt::format("{}", value); }
std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(double value) { return fmt::format("{}", value); }
template <typename Sequence>
std::string value_text(const Sequence& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

// Reads "{name = value, ...}" from left to right.
class AttrReader {
 public:
  AttrReader(OpKind kind, const std::string& text) : kind_(kind), text_(text) {}

  OpAttrs read() {
    skip_spaces();
    if (at_ == text_.size()) return {};
    expect('{');
    if (!accept('}')) {
      do {
        read_attr();
      } while (accept(','));
      expect('}');
    }
    if (at_ != text_.size()) complain("nothing after '}'");
    return attrs_;
  }

 private:
  void read_attr() {
    const std::string name = read_word();
    const std::vector<std::string> names = attr_names(kind_);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail(ErrorCode::kInvalidArgument, "{} has no attribute '{}'; it has: {}", to_string(kind_),
           name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
    }
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end()) {
      fail(ErrorCode::kInvalidArgument, "{}: attribute '{}' is given twice", to_string(kind_),
           name);
    }
    seen_.push_back(name);
    expect('=');
    name_ = name;
    for (const Field& field : fields()) {
      if (name == field.name) {
        std::visit([&](auto member) { read_value(attrs_.*member); }, field.member);
      }
    }
  }

  void read_value(int64_t& value) { value = read_number<int64_t>("an integer"); }
  void read_value(double& value) {
    value = read_number<double>("a number");
    if (!std::isfinite(value)) complain("a finite number");
  }
  void read_value(bool& value) {
    const std::string word = read_word();
    if (word != "true" && word != "false") complain("true or false");
    value = word == "true";
  }
  void read_value(List& values) {
    values.clear();
    expect('[');
    if (accept(']')) return;
    do {
      if (values.size() == kMaxRank) complain("at most 8 numbers");
      values.push_back(read_number<int64_t>("an integer"));
    } while (accept(','));
    expect(']');
  }
  template <size_t kCount>
  void read_value(std::array<int64_t, kCount>& values) {
    List list;
    read_value(list);
    if (list.size() != kCount) complain(kCount == 2 ? "two integers" : "four integers");
    std::copy(list.begin(), list.end(), values.begin());
  }

  template <typename Number>
  Number read_number(const char* expectation) {
    Number value{};
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (error != std::errc{}) complain(expectation);
    at_ = static_cast<size_t>(rest - text_.data());
    skip_spaces();
    return value;
  }

  std::string read_word() {
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      ++at_;
    }
    const std::string word = text_.substr(begin, at_ - begin);
    skip_spaces();
    return word;
  }

  bool accept(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_spaces();
    return true;
  }
  void expect(char c) {
    if (!accept(c)) complain(fmt::format("'{}'", c));
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  [[noreturn]] void complain(const std::string& expectation) const {
    const std::string where = name_.empty() ? "attributes" : "attribute '" + name_ + "'";
    fail(ErrorCode::kInvalidArgument, "{}: {}: expected {} at '{}'", to_string(kind_), where,
         expectation, text_.substr(std::min(at_, text_.size()), 24));
  }

  static constexpr size_t kMaxRank = 8;
  OpKind kind_;
  const std::string& text_;
  size_t at_ = 0;
  std::string name_;
  std::vector<std::string> seen_;
  OpAttrs attrs_;
};

}  // namespace

const char* to_string(OpKind kind) { return entry(kind).name; }
int min_inputs(OpKind kind) { return entry(kind).min_inputs; }
int max_inputs(OpKind kind) { return entry(kind).max_inputs; }

OpKind op_kind_from_string(const std::string& text) {
  for (size_t i = 0; i < std::size(kOps); ++i) {
    if (text == kOps[i].name) return static_cast<OpKind>(i);
  }
  fail(ErrorCode::kUnsupported, "operator '{}' is not known", text.substr(0, 64));
}

std::vector<std::string> attr_names(OpKind kind) {
  switch (kind) {
    case OpKind::kInput:
    case OpKind::kConstant:
      return {"index"};
    case OpKind::kConv2d:
      return {"kernel", "stride", "pad", "dilation", "groups"};
    case OpKind::kBatchNorm:
      return {"epsilon"};
    case OpKind::kClip:
      return {"lo", "hi"};
    case OpKind::kAvgPool2d:
      return {"kernel", "stride", "pad", "ceil_mode", "count_include_pad"};
    case OpKind::kMaxPool2d:
      return {"kernel", "stride", "pad", "ceil_mode"};
    case OpKind::kStridedSlice:
      return {"begin", "end", "step"};
    case OpKind::kPad:
      return {"before", "after"};
    case OpKind::kQuantize:
      return {"frac_bits"};
    case OpKind::kDequantize:
      return {"frac_bits", "divisor"};
    case OpKind::kQConv2d:
      return {"kernel", "stride", "pad", "dilation", "groups", "shift", "relu", "lo", "hi"};
    case OpKind::kQDense:
      return {"shift", "relu", "lo", "hi"};
    case OpKind::kQAdd:
      return {"shift_a", "shift_b", "shift", "relu", "lo", "hi"};
    case OpKind::kDense:
    case OpKind::kRelu:
    case OpKind::kAdd:
    case OpKind::kSoftmax:
    case OpKind::kFlatten:
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalSumPool2d:
      return {};
  }
  return {};
}

std::string to_string(OpKind kind, const OpAttrs& attrs) {
  const OpAttrs defaults;
  const std::vector<std::string> names = attr_names(kind);
  std::vector<std::string> parts;
  for (const Field& field : fields()) {
    if (std::find(names.begin(), names.end(), field.name) == names.end()) continue;
    std::visit(
        [&](auto member) {
          if (attrs.*member == defaults.*member) return;
          parts.push_back(fmt::format("{} = {}", field.name, value_text(attrs.*member)));
        },
        field.member);
  }
  return parts.empty() ? "" : fmt::format("{{{}}}", fmt::join(parts, ", "));
}

OpAttrs attrs_from_string(OpKind kind, const std::string& text) {
  return AttrReader(kind, text).read();
}

}  // namespace vta
