// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/simple_iteration.h"

#include <fmt/format.h>

#include "hw/hlsc/model/step_text.h"

namespace vta::hlsc::model {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

class SimpleIteration {
 public:
  SimpleIteration(const NestBody& body, const std::optional<FastPath>& path)
      : b_(body), t_(body.text()), fast_path_(path) {}

  std::string text() const {
    std::string text = "Cycle now = issue;\n";
    if (b_.nest().initiation_interval > 1)
      text = fmt::format("Cycle now = std::max(issue, {});\n", b_.gap());
    const std::string any = declarations(b_.order()) +
                            waiting_text(t_, b_.operations(0), "std::max(now, left + 1)", false) +
                            effects();
    text += fast_path_.has_value() ? fast_iteration(any) : any;
    return "{\n" + text + steps() + "}\n";
  }

  std::string skipped() const {
    t_.set_known(&fast_path_->after);
    std::string text = "const Cycle now = issue;\n" + declarations(b_.order());
    for (uint32_t at = 0; at < b_.nest().stages; ++at) {
      text += values(b_.operations(at));
      for (ValueId value : b_.operations(at))
        text += line(t_.effect(value, fmt::format("now + {}", at)));
    }
    t_.set_known(nullptr);
    return text + steps();
  }

 private:
  std::string steps() const {
    std::string text =
        fmt::format("go = now;\nissue = now + 1;\nleft = now + {};\n", b_.nest().stages - 1);
    if (b_.nest().initiation_interval > 1)
      text += fmt::format("{} = now + {};\n", b_.gap(), b_.nest().initiation_interval);
    return text;
  }
  std::string declarations(const std::vector<ValueId>& operations) const {
    std::string text;
    for (ValueId value : operations) {
      if (b_.has_variable(value))
        text += fmt::format("bits<{}> v{} = 0;\n", t_.op(value).width, value);
    }
    return text;
  }
  // After the waits of the first stage.
  std::string effects() const {
    std::string text;
    for (uint32_t at = 0; at < b_.nest().stages; ++at) {
      const std::string cycle = at == 0 ? "now" : fmt::format("now + {}", at);
      if (at > 0) text += values(b_.operations(at)) + ports_at(b_.operations(at), cycle);
      for (ValueId value : b_.operations(at)) text += line(t_.effect(value, cycle));
    }
    return text;
  }

  void add_needed(ValueId value, std::set<ValueId>& needed) const {
    if (!b_.contains(value) || !needed.insert(value).second) return;
    for (ValueId operand : t_.op(value).operands) add_needed(operand, needed);
  }

  // Operations that the checks depend on, and the others.
  struct Parts {
    std::vector<ValueId> first, rest;
  };
  Parts divided() const {
    std::set<ValueId> needed;
    for (ValueId value : fast_path_->checks) add_needed(value, needed);
    Parts parts;
    for (ValueId value : b_.in_order())
      (needed.contains(value) ? parts.first : parts.rest).push_back(value);
    return parts;
  }
  std::string first_values(const Parts& parts) const {
    t_.set_known(&fast_path_->before);
    std::string text = declarations(parts.first);
    for (ValueId value : parts.first)
      text +=
          t_.op(value).opcode == Opcode::kRamRead ? line(t_.effect(value, "now")) : values({value});
    t_.set_known(nullptr);
    return text;
  }
  std::string checks() const {
    std::string text;
    for (ValueId value : fast_path_->checks)
      text += fmt::format("{}(v{} == {})", text.empty() ? "" : " & ", value,
                          fast_path_->after.at(value).getZExtValue());
    return text;
  }

  // The checks first; then either the rest of the fast path, or the whole iteration.
  std::string fast_iteration(const std::string& any) const {
    const Parts parts = divided();
    std::string text = "bool done = false;\nif (quiet) [[likely]] {\n" + first_values(parts);
    t_.set_known(&fast_path_->after);
    text += fmt::format("if ({}) [[likely]] {{\n{}", checks(), declarations(parts.rest));
    for (uint32_t at = 0; at < b_.nest().stages; ++at) {
      const std::string cycle = fmt::format("now + {}", at);
      text += values(b_.operations(at)) + ports_at(b_.operations(at), cycle);
      for (ValueId value : b_.operations(at)) text += line(t_.effect(value, cycle));
    }
    t_.set_known(nullptr);
    return text + "done = true;\n}\n}\nif (!done) [[unlikely]] {\nquiet = false;\n" + any + "}\n";
  }

  std::string values(const std::vector<ValueId>& operations) const {
    std::string text;
    for (ValueId value : operations) {
      if (!ir::is_combinational(t_.op(value).opcode) || !t_.is_computed(value) ||
          t_.is_known(value))
        continue;
      text += fmt::format("{} = {};\n", t_.name(value), t_.computed(value, ""));
    }
    return text;
  }
  // Requests for ports that other processes wait for.
  std::string ports_at(const std::vector<ValueId>& operations, const std::string& cycle) const {
    Lines lines;
    for (ValueId value : operations) {
      const Op& op = t_.op(value);
      if (const auto port = t_.port_client(op); port && !port->is_last)
        lines.add(t_.guarded(op, fmt::format("{}.request({}, {}, {}, {});\n", port->arbiter,
                                             port->client, cycle, cycle, t_.bank(op))));
    }
    return lines.text();
  }

  const NestBody& b_;
  ProcessText& t_;
  const std::optional<FastPath>& fast_path_;
};

}  // namespace

std::string last_skipped_iteration(const NestBody& body, const FastPath& path) {
  return SimpleIteration(body, path).skipped();
}

std::string simple_iteration(const NestBody& body, const std::optional<FastPath>& path) {
  return SimpleIteration(body, path).text();
}

}  // namespace vta::hlsc::model
