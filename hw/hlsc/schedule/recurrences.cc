// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/recurrences.h"

#include <algorithm>
#include <iterator>

#include "hw/hlsc/schedule/deadline.h"
#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/timing.h"

namespace vta::hlsc::schedule {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

template <class Map>
const std::vector<ValueId>& found_in(const Map& map, typename Map::key_type key) {
  static const std::vector<ValueId> kNone;
  const auto found = map.find(key);
  return found == map.end() ? kNone : found->second;
}

// `from` and all that next() leads to.
template <class Next>
std::set<ValueId> closure(std::vector<ValueId> open, Next&& next) {
  std::set<ValueId> found;
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    if (!found.insert(value).second) continue;
    const std::vector<ValueId>& more = next(value);
    open.insert(open.end(), more.begin(), more.end());
  }
  return found;
}

}  // namespace

Recurrences::Recurrences(const ir::Design& design, const ir::Process& process, const ir::Loop& loop)
    : design_(design), process_(process), loop_(loop) {
  for (const ir::Item& item : loop.body) {
    const ValueId value = std::get<ValueId>(item);
    const Op& op = process.ops[value];
    for (ValueId operand : op.operands) uses_[operand].push_back(value);
    if (op.opcode == Opcode::kRegisterRead) reads_[op.object].push_back(value);
    if (op.opcode == Opcode::kRegisterWrite) writes_[op.object].push_back(value);
  }
}

std::vector<ObjectId> Recurrences::registers() const {
  std::vector<ObjectId> found;
  for (const auto& [reg, reads] : reads_) {
    if (writes_.contains(reg)) found.push_back(reg);
  }
  return found;
}

const std::vector<ValueId>& Recurrences::next(ValueId value) const {
  const Op& op = process_.ops[value];
  return op.opcode == Opcode::kRegisterWrite ? found_in(reads_, op.object) : found_in(uses_, value);
}

const std::vector<ValueId>& Recurrences::previous(ValueId value) const {
  const Op& op = process_.ops[value];
  return op.opcode == Opcode::kRegisterRead ? found_in(writes_, op.object) : op.operands;
}

std::set<ValueId> Recurrences::through(ObjectId reg) const {
  const auto after = closure(found_in(reads_, reg), [&](ValueId v) { return next(v); });
  const auto before = closure(found_in(writes_, reg), [&](ValueId v) { return previous(v); });
  std::set<ValueId> both;
  std::ranges::set_intersection(after, before, std::inserter(both, both.end()));
  return both;
}

bool Recurrences::is_slow(const std::set<ValueId>& recurrence, const Options& options) const {
  const double budget_ns = options.period_ns - options.margin_ns;
  const Deadlines deadlines(design_, process_, &loop_.body);
  std::map<ValueId, Time> available;
  for (const ir::Item& item : loop_.body) {
    const ValueId value = std::get<ValueId>(item);
    if (!recurrence.contains(value)) continue;
    const Op& op = process_.ops[value];
    Time start{0, kRegisterNs};
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const auto operand = available.find(op.operands[i]);
      if (operand == available.end()) continue;
      start = later(start, in_time(operand->second, deadlines.before_end_ns(op, i), budget_ns));
    }
    if (op.opcode == Opcode::kRegisterWrite && start.step >= loop_.initiation_interval) return true;
    available[value] = use_time(op, result_time(process_, op, start, budget_ns));
  }
  return false;
}

}  // namespace vta::hlsc::schedule
