// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/skipped_iterations.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/model/counted_loop.h"
#include "hw/hlsc/model/simple_iteration.h"
#include "hw/hlsc/model/step_text.h"

namespace vta::hlsc::model {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

constexpr uint32_t kMaxCounterBits = 16;  // of a loop that is run to find its largest values
constexpr uint32_t kMaxBoundBits = 48;    // sums of bounds have 64 bits
constexpr uint32_t kMaxStepBits = 32;     // products with a counter have 64 bits

class Search {
 public:
  Search(const NestBody& body, const FastPath& path, const CountedLoop& loop)
      : b_(body), t_(body.text()), fast_path_(path), loop_(loop) {}

  std::optional<SkippedIterations> run() {
    if (b_.nest().initiation_interval > 1) return std::nullopt;
    if (t_.op(loop_.counter()).width > kMaxCounterBits || !loop_.has_invariant_bounds())
      return std::nullopt;
    if (!registers_are_simple() || !rams_are_constant()) return std::nullopt;
    SkippedIterations result;
    for (ValueId check : fast_path_.checks) {
      const std::string holds = bound(check, fast_path_.after.at(check).isOne());
      if (holds.empty()) return std::nullopt;
      result.condition += (result.condition.empty() ? "" : " && ") + holds;
    }
    result.preparation = preparation();
    result.first = fmt::format("const uint64_t more = {} - 1;\n{}issue += more;\n",
                               loop_.iterations_left(), loop_.advanced("more"));
    result.last = last_skipped_iteration(b_, fast_path_) + sums();
    if (const auto around = CountedLoop::around(b_); around && is_monotonic(*around))
      result.rounds = rounds(*around, result.condition);
    return result;
  }

 private:
  // --- Effects of an iteration ---

  // No RAM word changes while the nest runs.
  bool rams_are_constant() const {
    return std::all_of(b_.order().begin(), b_.order().end(), [&](ValueId value) {
      const Op& op = t_.op(value);
      if (op.opcode == Opcode::kRamWrite) return !t_.has_content(op);
      return op.opcode != Opcode::kRamRead || !t_.is_computed(value) || !t_.others_write(op);
    });
  }

  // A register is written in all iterations or in none: with a value that does not depend on
  // earlier iterations, or with its old value plus a loop-invariant one.
  bool registers_are_simple() {
    std::set<ir::ObjectId> seen;
    for (ValueId value : b_.order()) {
      const Op& op = t_.op(value);
      if (op.opcode != Opcode::kRegisterWrite || !t_.has_content(op)) continue;
      if (is_never(op)) continue;
      if (!seen.insert(op.object).second || !is_loop_invariant(op.operands[0])) return false;
      writes_.push_back(value);
      if (const auto more = summand(op)) {
        sums_.emplace_back(value, *more);
      } else if (depends_on_registers(op.operands[1])) {
        return false;
      }
    }
    return true;
  }
  bool is_never(const Op& write) const {
    const auto known = fast_path_.after.find(write.operands[0]);
    return known != fast_path_.after.end() && known->second.isZero();
  }
  // The loop-invariant value that is added to the register, if the write is such a sum.
  std::optional<ValueId> summand(const Op& write) const {
    const Op& sum = t_.op(write.operands[1]);
    if (sum.opcode != Opcode::kAdd) return std::nullopt;
    for (size_t i = 0; i < 2; ++i) {
      const Op& read = t_.op(sum.operands[i]);
      if (read.opcode == Opcode::kRegisterRead && read.object == write.object &&
          is_loop_invariant(sum.operands[1 - i]))
        return sum.operands[1 - i];
    }
    return std::nullopt;
  }
  bool depends_on_registers(ValueId value) const {
    if (!b_.contains(value) || fast_path_.after.contains(value)) return false;
    const Op& op = t_.op(value);
    return op.opcode == Opcode::kRegisterRead ||
           std::any_of(op.operands.begin(), op.operands.end(),
                       [&](ValueId operand) { return depends_on_registers(operand); });
  }
  bool is_loop_invariant(ValueId value) const {
    if (!loop_.contains(value) || fast_path_.after.contains(value)) return true;
    const Op& op = t_.op(value);
    return b_.contains(value) && ir::is_pure(op.opcode) &&
           std::all_of(op.operands.begin(), op.operands.end(),
                       [&](ValueId operand) { return is_loop_invariant(operand); });
  }

  // --- Checks for all iterations at once ---

  // An expression that is true only if the 1-bit value is `bit` in all iterations; "" if none is
  // found.
  std::string bound(ValueId value, bool bit) {
    const Op& op = t_.op(value);
    if (op.opcode == Opcode::kConstant) return op.constant.isOne() == bit ? "true" : "false";
    if (!loop_.contains(value)) {
      constant_.insert(value);
      return fmt::format("{} == {}", t_.name(value), bit ? 1 : 0);
    }
    if (op.opcode == Opcode::kXor)
      return ir::is_constant(t_.process(), op.operands[1], 1) ? bound(op.operands[0], !bit) : "";
    if (op.opcode == Opcode::kAnd || op.opcode == Opcode::kOr) return either_or_both(op, bit);
    if (op.opcode == Opcode::kEq)
      return bit && ir::is_constant(t_.process(), op.operands[1], 0) ? always_zero(op.operands[0])
                                                                     : "";
    return bit && op.opcode == Opcode::kUlt ? always_below(op) : "";
  }
  std::string either_or_both(const Op& op, bool bit) {
    const std::string a = bound(op.operands[0], bit), b = bound(op.operands[1], bit);
    const bool both = bit == (op.opcode == Opcode::kAnd);
    if (both) return a.empty() || b.empty() ? "" : fmt::format("({} && {})", a, b);
    if (a.empty() || b.empty()) return a + b;  // one of them is enough
    return fmt::format("({} || {})", a, b);
  }
  // An expression that is true only if the value is 0 in all iterations; "" if none is found.
  std::string always_zero(ValueId value) {
    const Op& op = t_.op(value);
    const bool is_top = op.opcode == Opcode::kSlice &&
                        op.offset + op.width == t_.op(op.operands[0]).width &&
                        op.offset < kMaxBoundBits;
    const std::string most = is_top ? largest(op.operands[0]) : largest(value);
    return most.empty() ? "" : fmt::format("{} < {}u", most, is_top ? uint64_t{1} << op.offset : 1);
  }
  // Likewise for a comparison with a loop-invariant limit.
  std::string always_below(const Op& less) {
    if (loop_.contains(less.operands[1])) return "";
    constant_.insert(less.operands[1]);
    const std::string most = largest(less.operands[0]);
    return most.empty()
               ? ""
               : fmt::format("{} < static_cast<uint64_t>({})", most, t_.name(less.operands[1]));
  }

  // A 64-bit upper bound of the value in all iterations; "" if none is found.
  std::string largest(ValueId value) {
    const Op& op = t_.op(value);
    if (op.width > kMaxBoundBits) return "";
    if (!loop_.contains(value)) {
      growing_.insert(value);
      return fmt::format("static_cast<uint64_t>({})", t_.name(value));
    }
    if (is_of_the_counter(value)) {
      largest_.insert(value);
      return fmt::format("most{}", value);
    }
    if (op.opcode == Opcode::kZext) return largest(op.operands[0]);
    if (op.opcode != Opcode::kAdd) return "";  // a wrapped sum is only smaller
    const std::string a = largest(op.operands[0]), b = largest(op.operands[1]);
    return a.empty() || b.empty() ? "" : fmt::format("({} + {})", a, b);
  }
  // Computed from the counter, from words that it indexes, and from values known before the nest.
  bool is_of_the_counter(ValueId value) const {
    if (value == loop_.counter() || !is_in_nest(b_, value)) return true;
    const Op& op = t_.op(value);
    if (!b_.contains(value)) return false;
    const bool is_word = op.opcode == Opcode::kRamRead;
    if (!is_word && !ir::is_pure(op.opcode)) return false;
    return std::all_of(op.operands.begin(), op.operands.end(),
                       [&](ValueId operand) { return is_of_the_counter(operand); });
  }

  // --- Text ---

  void add_needed(ValueId value, std::set<ValueId>& needed) const {
    if (!b_.contains(value) || t_.is_known(value) || !needed.insert(value).second) return;
    for (ValueId operand : t_.op(value).operands) add_needed(operand, needed);
  }
  std::string values_of(const std::set<ValueId>& needed) const {
    std::string values;
    for (ValueId value : b_.in_order()) {
      if (!needed.contains(value) || !b_.has_variable(value)) continue;
      values += fmt::format("bits<{}> v{} = 0;\n", t_.op(value).width, value);
      values += t_.op(value).opcode == Opcode::kRamRead
                    ? line(t_.effect(value, "now"))
                    : fmt::format("{} = {};\n", t_.name(value), t_.computed(value, ""));
    }
    return values;
  }
  std::string preparation() const {
    if (largest_.empty()) return "";
    std::set<ValueId> needed;
    std::string declared, compared;
    for (ValueId value : largest_) {
      add_needed(value, needed);
      declared += fmt::format("uint64_t most{} = 0;\n", value);
      compared += fmt::format("most{0} = std::max(most{0}, static_cast<uint64_t>({1}));\n", value,
                              t_.name(value));
    }
    const std::string counter = t_.name(loop_.counter());
    return declared + fmt::format("for (auto {0} = {1}; quiet && {0} < {2}; ++{0}) {{\n{3}{4}}}\n",
                                  counter, t_.name(loop_.first()), loop_.limit(), values_of(needed),
                                  compared);
  }

  // --- All rounds of the loop around but the last one ---

  // Whether the checks hold in all rounds if they hold in the last one, all rounds add the same,
  // and the last one has all writes that the others have.
  bool is_monotonic(const CountedLoop& around) const {
    const auto is_fixed = [&](ValueId value) { return !is_in_nest(b_, value); };
    if (!std::all_of(constant_.begin(), constant_.end(), is_fixed)) return false;
    for (ValueId write : writes_) {
      if (!depends_on_fixed(t_.op(write).operands[0])) return false;
    }
    for (const auto& [value, summand] : sums_) {
      if (!depends_on_fixed(summand)) return false;
    }
    return t_.op(around.counter()).width <= kMaxCounterBits &&
           std::all_of(around.steps().begin(), around.steps().end(),
                       [&](const CountedLoop::Step& step) {
                         return t_.op(step.phi).width <= kMaxStepBits;
                       }) &&
           std::all_of(growing_.begin(), growing_.end(), [&](ValueId value) {
             // NestText computes the values of the body for the last round, not those of the head.
             for (; t_.op(value).opcode == Opcode::kZext; value = t_.op(value).operands[0]) {
               if (around.is_in_head(value)) return false;
             }
             return is_fixed(value) ||
                    std::any_of(around.steps().begin(), around.steps().end(),
                                [&](const CountedLoop::Step& step) { return step.phi == value; });
           });
  }
  bool depends_on_fixed(ValueId value) const {
    if (fast_path_.after.contains(value)) return true;
    if (!b_.contains(value)) return !is_in_nest(b_, value);
    const std::vector<ValueId>& operands = t_.op(value).operands;
    return std::all_of(operands.begin(), operands.end(),
                       [&](ValueId operand) { return depends_on_fixed(operand); });
  }
  SkippedIterations::Rounds rounds(const CountedLoop& around, const std::string& condition) const {
    SkippedIterations::Rounds result;
    std::string kept, fits, back;
    for (const CountedLoop::Step& step : around.steps()) {
      const std::string name = t_.name(step.phi);
      const uint32_t width = t_.op(step.phi).width;
      kept += fmt::format(
          "const auto first{0} = {0};\nconst uint64_t last{0} = static_cast<uint64_t>({0}) + "
          "rounds "
          "* static_cast<uint64_t>({1});\n{0} = static_cast<bits<{2}>>(last{0});\n",
          name, t_.name(step.summand), width);
      fits += fmt::format("last{} < {}u && ", name, uint64_t{1} << width);
      back += fmt::format("{0} = first{0};\n", name);
    }
    const std::string first = t_.name(loop_.first());
    result.before = fmt::format(
        "if (quiet && !watched && {0} < {1} && {2} < {3}) {{\nconst uint64_t rounds = {4} - "
        "1;\n{5}",
        t_.name(around.counter()), around.limit(), first, loop_.limit(), around.iterations_left(),
        kept);
    t_.set_known(&fast_path_.after);
    std::set<ValueId> needed;
    for (const auto& [value, summand] : sums_) {
      add_needed(t_.op(value).operands[0], needed);
      add_needed(summand, needed);
    }
    const std::string values = values_of(needed);
    t_.set_known(nullptr);
    result.after = fmt::format(
        "if ({}{}) {{\nconst uint64_t more = rounds * (static_cast<uint64_t>({}) - "
        "static_cast<uint64_t>({}));\nissue += more;\n{}{}{}}} else {{\n{}}}\n}}\n",
        fits, condition, loop_.limit(), first, around.advanced("rounds"), values, sums(), back);
    return result;
  }

  // The sums of all iterations but the last one.
  std::string sums() const {
    std::string text;
    t_.set_known(&fast_path_.after);
    for (const auto& [value, summand] : sums_) {
      const Op& write = t_.op(value);
      const std::string name = t_.object_name(write.object);
      const uint32_t width = t_.op(write.operands[1]).width;
      text += t_.guarded(
          write,
          fmt::format("{0} = bits<{1}>({0} + bits<{1}>(static_cast<bits<{1}>>(more) * {2}));\n",
                      name, width, t_.name(summand)));
    }
    t_.set_known(nullptr);
    return text;
  }

  const NestBody& b_;
  ProcessText& t_;
  const FastPath& fast_path_;
  const CountedLoop& loop_;
  std::vector<ValueId> writes_;                    // of registers
  std::vector<std::pair<ValueId, ValueId>> sums_;  // writes, and what they add
  std::set<ValueId> largest_;
  // Values from outside the loop that the checks use: equal to a constant or the limit of a
  // comparison, and parts of what is compared.
  std::set<ValueId> constant_, growing_;
};

}  // namespace

std::optional<SkippedIterations> skipped_iterations(const NestBody& body, const FastPath& path) {
  const std::optional<CountedLoop> loop = CountedLoop::innermost(body, true);
  if (!loop.has_value()) return std::nullopt;
  return Search(body, path, *loop).run();
}

}  // namespace vta::hlsc::model
