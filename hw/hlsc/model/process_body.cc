// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/process_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/model/nest_text.h"
#include "hw/hlsc/model/step_text.h"

namespace vta::hlsc::model {

using ir::Loop;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

class Body {
 public:
  Body(ProcessText& text, const std::set<ir::ObjectId>& logged) : t_(text), logged_(logged) {}

  std::string text() {
    std::string statements = sequence(t_.process().body);
    std::string text = "Cycle now = 0;\n";
    for (size_t nest = 0; nest < num_nests_; ++nest)
      text += fmt::format("[[maybe_unused]] Cycle gap{} = 0;\n", nest);
    for (ValueId value : declared_)
      text +=
          fmt::format("[[maybe_unused]] bits<{}> {} = 0;\n", t_.op(value).width, t_.name(value));
    return text + statements + "process.end(now - 1);\n";
  }

 private:
  void declare(ValueId value) {
    if (t_.is_computed(value) && t_.op(value).width > 0 && t_.op(value).opcode != Opcode::kConstant)
      declared_.insert(value);
  }
  void declare(const Sequence& items) {
    for (const ir::Item& item : items) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) declare(*value);
    }
  }

  std::string sequence(const Sequence& items) {
    declare(items);
    std::string text;
    for (uint32_t step = 0; step < t_.schedule().num_steps.at(&items); ++step)
      text += state(items, step);
    return text;
  }

  std::string state(const Sequence& items, uint32_t step) {
    std::vector<ValueId> operations;
    const Loop* entered = nullptr;
    for (const ir::Item& item : items) {
      if (const ValueId* value = std::get_if<ValueId>(&item)) {
        if (t_.schedule().step[*value] == step) operations.push_back(*value);
      } else {
        const Loop& loop = *std::get<std::unique_ptr<Loop>>(item);
        if (t_.schedule().entry_step.at(&loop) == step) entered = &loop;
      }
    }
    std::string text = place(operations) + statements(operations) + "++now;\n";
    return entered == nullptr ? text : text + entry(*entered);
  }

  std::string place(const std::vector<ValueId>& operations) const {
    for (ValueId value : operations) {
      const ir::Location& location = t_.op(value).location;
      if (location.line != 0) return fmt::format("// {}:{}\n", location.file, location.line);
    }
    return "";
  }

  std::string statements(const std::vector<ValueId>& operations) const {
    const auto waits = [&](ValueId value) { return ir::accesses_channel(t_.op(value).opcode); };
    const bool several = std::count_if(operations.begin(), operations.end(), waits) > 1;
    std::string text = waiting_text(t_, operations, "now", several);
    for (ValueId value : operations) {
      const Op& op = t_.op(value);
      if (op.opcode == Opcode::kHalt) text += t_.guarded(op, "process.end(now);\n");
      if (several && waits(value)) continue;  // already done
      const std::string effect = t_.effect(value, "now");
      if (!effect.empty()) text += effect + "\n";
      if (op.opcode == Opcode::kRegisterWrite && logged_.contains(op.object)) text += logging(op);
    }
    return text;
  }

  std::string logging(const Op& op) const {
    const std::string log = "log_" + object_name(t_.object(op));
    const std::string entry = fmt::format("{}->push_back({{now, static_cast<uint64_t>({})}});\n",
                                          log, t_.name(op.operands[1]));
    return t_.guarded(op, fmt::format("if ({} != nullptr) {}", log, entry));
  }

  std::string entry(const Loop& loop) {
    std::string text;
    if (t_.schedule().nests.contains(&loop)) {
      for (const Loop* level : t_.schedule().nests.at(&loop).levels) {
        for (const ir::LoopPhi& phi : level->phis) declare(phi.phi);
        declare(level->head);
        if (level != t_.schedule().nests.at(&loop).levels.back()) declare(level->body);
      }
      text = nest_text(t_, loop, num_nests_++, declared_);
    } else {
      for (const ir::LoopPhi& phi : loop.phis) declare(phi.phi);
      text = assigned_phis(t_, loop, true) + "for (;;) {\n";
      if (ir::has_head(t_.process(), loop)) {
        text += sequence(loop.head);
        if (const std::string condition = t_.condition(loop.condition); !condition.empty())
          text += fmt::format("if (!{}) break;\n", condition);
      }
      text += sequence(loop.body) + assigned_phis(t_, loop, false) + "}\n";
    }
    const std::string predicate = t_.condition(loop.predicate);
    return predicate.empty() ? text : fmt::format("if {} {{\n{}}}\n", predicate, text);
  }

  ProcessText& t_;
  const std::set<ir::ObjectId>& logged_;
  std::set<ValueId> declared_;
  size_t num_nests_ = 0;
};

}  // namespace

std::string process_body(const ModelInput& input, size_t process,
                         const std::map<ir::ObjectId, uint32_t>& late_registers,
                         const std::set<ir::ObjectId>& logged_registers) {
  ProcessText text(input, process, late_registers);
  return Body(text, logged_registers).text();
}

}  // namespace vta::hlsc::model
