// SPDX-License-Identifier: Apache-2.0
//
// Every random draw is a separate statement: the evaluation order of arguments is unspecified.
#include "tests/hls/random/expressions.h"

#include <fmt/format.h>

#include <algorithm>

namespace vta::kernels {

std::string unsigned_type(int bits) { return fmt::format("uint{}_t", bits); }

std::string type_of(int bits, bool is_signed) {
  if (bits == 1) return "bool";
  return (is_signed ? "" : "u") + fmt::format("int{}_t", bits);
}

// Narrow arithmetic is promoted to int, which may overflow.
std::string widened(int bits, const std::string& text) {
  return bits >= 32 ? text : "uint32_t(" + text + ")";
}
std::string narrowed(int bits, const std::string& text) {
  return (bits >= 32 ? "" : unsigned_type(bits)) + "(" + text + ")";
}

int Expressions::any_width() {
  constexpr int kWidths[] = {8, 8, 16, 16, 32, 32, 32, 64};
  return kWidths[random_.between(0, 7)];
}

Expression Expressions::integer(int bits, int max_rank, int depth) {
  Expression result;
  result.text = part(bits, max_rank, depth, result.rank);
  return result;
}

Expression Expressions::condition(int max_rank, int depth) {
  Expression result;
  if (depth == 0 || random_.chance(60)) {
    result.text = comparison(max_rank, depth, result.rank);
    return result;
  }
  const Expression a = condition(max_rank, depth - 1), b = condition(max_rank, depth - 1);
  constexpr const char* kForms[] = {"({} && {})",    "({} || {})", "bool({} & {})",
                                    "bool({} | {})", "({} != {})", "!({} && {})"};
  result.text = fmt::format(fmt::runtime(kForms[random_.between(0, 5)]), a.text, b.text);
  result.rank = std::max(a.rank, b.rank);
  return result;
}

Expression Expressions::masked(uint64_t mask, int max_rank, int depth) {
  Expression result = integer(mask < 256 ? 8 : 32, max_rank, depth);
  result.text = fmt::format("({} & {}u)", result.text, mask);
  return result;
}

const Variable* Expressions::variable(int bits, int max_rank, int& rank) {
  std::vector<const Variable*> allowed;
  for (const Variable& variable : variables_) {
    if (variable.rank <= max_rank && (bits == 1) == (variable.bits == 1)) {
      allowed.push_back(&variable);
    }
  }
  if (allowed.empty()) return nullptr;
  // The newest ones half of the time, for longer dependence chains.
  const auto count = static_cast<int64_t>(allowed.size());
  const int64_t first = random_.chance(50) ? std::max<int64_t>(0, count - 4) : 0;
  const Variable* chosen = allowed[static_cast<size_t>(random_.between(first, count - 1))];
  rank = std::max(rank, chosen->rank);
  return chosen;
}

std::string Expressions::constant(int bits) {
  const uint64_t ones = ~uint64_t{0} >> (64 - bits);
  uint64_t value = random_.next();
  switch (random_.between(0, 4)) {
    case 0:
      value = static_cast<uint64_t>(random_.between(0, 9));
      break;
    case 1:
      value = ones;
      break;
    case 2:
      value = ones ^ (ones >> 1);
      break;
    case 3:
      value = uint64_t{1} << random_.between(0, bits - 1);
      break;
    default:
      break;
  }
  return fmt::format("{}({:#x}{})", unsigned_type(bits), value & ones, bits == 64 ? "ull" : "u");
}

std::string Expressions::leaf(int bits, int max_rank, int& rank) {
  if (random_.chance(20)) return constant(bits);
  const Variable* chosen = variable(random_.chance(5) ? 1 : bits, max_rank, rank);
  if (chosen == nullptr) return constant(bits);
  if (chosen->bits == bits && !chosen->is_signed) return chosen->name;
  return fmt::format("{}({})", unsigned_type(bits), chosen->name);
}

std::string Expressions::part(int bits, int max_rank, int depth, int& rank) {
  if (depth == 0 || random_.chance(15)) return leaf(bits, max_rank, rank);
  const int64_t kind = random_.between(0, 99);
  if (kind < 45) return arithmetic(bits, max_rank, depth - 1, rank);
  if (kind < 60) return shift(bits, max_rank, depth - 1, rank);
  if (kind < 78) return conversion(bits, max_rank, depth - 1, rank);
  if (kind < 90) return choice(bits, max_rank, depth - 1, rank);
  if (kind < 94) return bit_count(bits, max_rank, depth - 1, rank);
  if (kind < 97 || functions_.empty()) return mirrored(bits, max_rank, depth - 1, rank);
  const auto last = static_cast<int64_t>(functions_.size()) - 1;
  const std::string function = functions_[static_cast<size_t>(random_.between(0, last))];
  const std::string a = part(32, max_rank, depth - 1, rank), b = leaf(32, max_rank, rank);
  return fmt::format("{}({}({}, {}))", unsigned_type(bits), function, a, b);
}

std::string Expressions::arithmetic(int bits, int max_rank, int depth, int& rank) {
  constexpr const char* kOperators[] = {"+", "+", "-", "&", "|", "^", "*"};
  const std::string a = widened(bits, part(bits, max_rank, depth, rank));
  if (random_.chance(10)) return narrowed(bits, "~" + a);
  if (random_.chance(10)) return quotient(bits, a);
  const char* symbol = kOperators[random_.between(0, 6)];
  const std::string b = widened(bits, part(bits, max_rank, depth, rank));
  return narrowed(bits, fmt::format("{} {} {}", a, symbol, b));
}

// Or a remainder. No signed divisor is -1, by which the least number has no quotient.
std::string Expressions::quotient(int bits, const std::string& dividend) {
  const char* divide = random_.chance(50) ? "/" : "%";
  const bool is_power = random_.chance(30);
  uint64_t divisor = uint64_t{1} << random_.between(0, bits - 2);
  if (!is_power) divisor = random_.next() >> random_.between(65 - bits, 62) | 1;
  if (random_.chance(50))
    return narrowed(bits, fmt::format("{} {} {:#x}u", dividend, divide, divisor));
  const char* sign = divisor != 1 && random_.chance(30) ? "-" : "";
  const std::string type = type_of(bits, true);
  return fmt::format("{0}({1}({2}) {3} {4}{1}({5:#x}))", unsigned_type(bits), type, dividend,
                     divide, sign, divisor);
}

std::string Expressions::shift(int bits, int max_rank, int depth, int& rank) {
  const std::string a = part(bits, max_rank, depth, rank);
  if (bits >= 32 && random_.chance(20)) {  // a rotation
    const int64_t by = random_.between(1, bits - 1);
    return fmt::format("(({0} << {1}) | ({0} >> {2}))", a, by, bits - by);
  }
  const std::string amount = random_.chance(50)
                                 ? fmt::format("{}", random_.between(0, bits - 1))
                                 : fmt::format("({} & {}u)", leaf(8, max_rank, rank), bits - 1);
  switch (random_.between(0, 2)) {
    case 0:
      return narrowed(bits, fmt::format("{} << {}", widened(bits, a), amount));
    case 1:
      return narrowed(bits, fmt::format("{} >> {}", widened(bits, a), amount));
    default:
      return fmt::format("{}({}({}) >> {})", unsigned_type(bits), type_of(bits, true), a, amount);
  }
}

// Conversions between widths: extensions, parts, and products wider than their factors.
std::string Expressions::conversion(int bits, int max_rank, int depth, int& rank) {
  const std::string type = unsigned_type(bits), as_signed = type_of(bits, true);
  const bool narrows = bits == 8 || (bits < 64 && random_.chance(30));
  const int other = narrows ? bits * 2 : bits / 2;
  const std::string a = part(other, max_rank, depth, rank);
  if (narrows) return fmt::format("{}({} >> {})", type, a, random_.between(0, other - bits));
  const std::string narrow = type_of(other, true);
  switch (random_.between(0, 3)) {
    case 0:
      return fmt::format("{}({})", type, a);
    case 1:
      return fmt::format("{}({}({}({})))", type, as_signed, narrow, a);
    case 2: {
      const std::string b = part(other, max_rank, depth, rank);
      const std::string first = fmt::format("{}({})", type, a);
      const std::string second = fmt::format("{}({})", type, b);
      return narrowed(bits, widened(bits, first) + " * " + widened(bits, second));
    }
    default: {
      const std::string b = part(other, max_rank, depth, rank);
      return fmt::format("{0}({1}({2}({3})) * {1}({2}({4})))", type, as_signed, narrow, a, b);
    }
  }
}

std::string Expressions::choice(int bits, int max_rank, int depth, int& rank) {
  const std::string a = part(bits, max_rank, depth, rank), b = leaf(bits, max_rank, rank);
  if (random_.chance(50)) {
    const std::string other = leaf(bits, max_rank, rank);
    const char* less = random_.chance(50) ? "<" : ">";
    const std::string cast = random_.chance(50) ? type_of(bits, true) : "";
    return fmt::format("({0}({1}) {2} {0}({3}) ? {1} : {3})", cast, other, less, b);
  }
  const std::string test = comparison(max_rank, depth, rank);
  return fmt::format("({} ? {} : {})", test, a, b);
}

std::string Expressions::bit_count(int bits, int max_rank, int depth, int& rank) {
  const int from = random_.chance(70) ? 32 : 64;
  const char* suffix = from == 64 ? "ll" : "";
  const std::string a = part(from, max_rank, depth, rank);
  switch (random_.between(0, 2)) {
    case 0:
      return fmt::format("{}(__builtin_popcount{}({}))", unsigned_type(bits), suffix, a);
    case 1:
      return fmt::format("{}(__builtin_clz{}({} | 1u))", unsigned_type(bits), suffix, a);
    default:  // 0 has none to find
      return fmt::format("{}(__builtin_ctz{}({} | 0x80000000u))", unsigned_type(bits), suffix, a);
  }
}

std::string Expressions::mirrored(int bits, int max_rank, int depth, int& rank) {
  const std::string a = part(bits, max_rank, depth, rank);
  const char* kind = bits > 8 && random_.chance(50) ? "bswap" : "bitreverse";
  return fmt::format("{}(__builtin_{}{}({}))", unsigned_type(bits), kind, bits, a);
}

std::string Expressions::comparison(int max_rank, int depth, int& rank) {
  constexpr const char* kOperators[] = {"<", "<=", ">", ">=", "==", "!="};
  if (random_.chance(15)) {
    const Variable* chosen = variable(1, max_rank, rank);
    if (chosen != nullptr) return (random_.chance(50) ? "!" : "") + chosen->name;
  }
  const int bits = any_width(), deep = std::max(0, depth - 1);
  const std::string a = part(bits, max_rank, deep, rank);
  if (random_.chance(20))
    return fmt::format("(({} >> {} & 1u) != 0)", a, random_.between(0, bits - 1));
  const std::string b = leaf(bits, max_rank, rank);
  const std::string cast = random_.chance(50) ? type_of(bits, true) : "";
  const char* symbol = kOperators[random_.between(0, 5)];
  return fmt::format("({0}({1}) {2} {0}({3}))", cast, a, symbol, b);
}

}  // namespace vta::kernels
