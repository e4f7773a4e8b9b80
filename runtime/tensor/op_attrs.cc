// SPDX-License-Identifier: Apache-2.0
//
// Attributes to text and back.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <variant>

#include "runtime/tensor/op.h"

namespace vta {
namespace {

// The names of each enumeration, in the order of its values.
template <typename Choice>
constexpr const char* kWords[] = {nullptr};
template <>
constexpr const char* kWords<PadMode>[] = {"constant", "reflect", "edge"};
template <>
constexpr const char* kWords<ResizeMode>[] = {"nearest", "linear", "cubic"};
template <>
constexpr const char* kWords<Coordinates>[] = {"half_pixel", "asymmetric", "align_corners",
                                               "pytorch_half_pixel", "half_pixel_symmetric"};
template <>
constexpr const char* kWords<Rounding>[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                            "ceil"};
template <>
constexpr const char* kWords<UniquePart>[] = {"first", "inverse", "count"};
template <>
constexpr const char* kWords<UnaryFunction>[] = {
#define VTA_UNARY(kind, name, expression) #name,
#include "runtime/tensor/functions.def"
};
template <>
constexpr const char* kWords<BinaryFunction>[] = {
#define VTA_BINARY(kind, name, expression) #name,
#define VTA_COMPARISON(kind, name, expression) #name,
#include "runtime/tensor/functions.def"
};
template <>
constexpr const char* kWords<Reduction>[] = {
#define VTA_REDUCTION(kind, name, before, combined, after) #name,
#include "runtime/tensor/functions.def"
};
template <>
constexpr const char* kWords<Format>[] = {
#define VTA_FLOAT_FORMAT(kind, name, precision, lowest, largest, has_infinity) #name,
#define VTA_INTEGER_FORMAT(kind, name, low, high, wraps) #name,
#include "runtime/tensor/functions.def"
};

template <typename Choice>
const char* word(Choice value) {
  return kWords<Choice>[static_cast<size_t>(value)];
}

using List = attr::List;
using Member =
    std::variant<attr::Pair OpAttrs::*, attr::Quad OpAttrs::*, attr::Numbers OpAttrs::*,
                 List OpAttrs::*, int64_t OpAttrs::*, bool OpAttrs::*, double OpAttrs::*,
                 PadMode OpAttrs::*, ResizeMode OpAttrs::*, Coordinates OpAttrs::*,
                 Rounding OpAttrs::*, UnaryFunction OpAttrs::*, BinaryFunction OpAttrs::*,
                 Reduction OpAttrs::*, Format OpAttrs::*, UniquePart OpAttrs::*>;

struct Field {
  const char* name;
  Member member;
};

// All attributes, in the order of their text form.
const std::vector<Field>& fields() {
  static const std::vector<Field> all = {
#define VTA_ATTRIBUTE(type, name, ...) {#name, &OpAttrs::name},
#include "runtime/tensor/attributes.def"
  };
  return all;
}

std::string value_text(int64_t value) { return fmt::format("{}", value); }
std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(double value) { return fmt::format("{}", value); }
template <typename Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return word(value);
  } else {
    return fmt::format("[{}]", fmt::join(value, ", "));
  }
}

// Parses "{name = value, ...}".
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
    if (at_ != text_.size()) complain("the end of the text after '}'");
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
  template <typename Choice>
    requires std::is_enum_v<Choice>
  void read_value(Choice& value) {
    const std::string text = read_word();
    const auto found = std::find(std::begin(kWords<Choice>), std::end(kWords<Choice>), text);
    if (found == std::end(kWords<Choice>)) {
      complain(fmt::format("one of {}", fmt::join(kWords<Choice>, ", ")));
    }
    value = static_cast<Choice>(found - std::begin(kWords<Choice>));
  }
  void read_value(attr::Numbers& values) {
    expect('[');
    read_value(values[0]);
    expect(',');
    read_value(values[1]);
    expect(']');
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

const char* to_string(PadMode value) { return word(value); }
const char* to_string(ResizeMode value) { return word(value); }
const char* to_string(Coordinates value) { return word(value); }
const char* to_string(Rounding value) { return word(value); }
const char* to_string(UnaryFunction value) { return word(value); }
const char* to_string(BinaryFunction value) { return word(value); }
const char* to_string(Reduction value) { return word(value); }
const char* to_string(Format value) { return word(value); }
const char* to_string(UniquePart value) { return word(value); }

bool is_comparison(BinaryFunction function) {
  switch (function) {
#define VTA_COMPARISON(kind, name, expression) case BinaryFunction::kind:
#include "runtime/tensor/functions.def"
    return true;
    default:
      return false;
  }
}

bool has_integer_result(Reduction reduction) {
  switch (reduction) {
    case Reduction::kL2:
    case Reduction::kLogSum:
    case Reduction::kLogSumExp:
      return false;
    default:
      return true;
  }
}

bool is_int32(Format format) { return format == Format::kInt32 || format == Format::kUint31; }

template <typename Choice>
Choice choice_from_string(const std::string& text) {
  const auto found = std::find(std::begin(kWords<Choice>), std::end(kWords<Choice>), text);
  if (found == std::end(kWords<Choice>)) {
    fail(ErrorCode::kInvalidArgument, "'{}' is not one of {}", text.substr(0, 64),
         fmt::join(kWords<Choice>, ", "));
  }
  return static_cast<Choice>(found - std::begin(kWords<Choice>));
}
template PadMode choice_from_string(const std::string& text);
template ResizeMode choice_from_string(const std::string& text);
template Coordinates choice_from_string(const std::string& text);
template Rounding choice_from_string(const std::string& text);

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
