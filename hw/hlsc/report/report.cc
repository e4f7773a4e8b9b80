// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "hw/hlsc/report/resources.h"
#include "hw/hlsc/schedule/operation_text.h"

namespace vta::hlsc::report {
namespace {

using ir::Loop;
using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;
using schedule::operation_text;
using schedule::place_text;

class ProcessReporter {
 public:
  ProcessReporter(const ir::Design& design, size_t process,
                  const schedule::ProcessSchedule& schedule, const bind::Binding& binding)
      : design_(design),
        index_(process),
        process_(design.processes[process]),
        schedule_(schedule),
        binding_(binding) {}

  ProcessReport run() {
    report_.name = process_.name;
    report_.place = place_text(process_.location);
    sequence(process_.body, nullptr, false);
    report_.operations = report_.schedule.size();
    report_.dsp48e1 = binding_.processes[index_].dsp48e1();
    std::set<ObjectId> registers;
    for (const Op& op : process_.ops) {
      if (op.opcode == Opcode::kRegisterWrite && registers.insert(op.object).second)
        report_.register_bits += design_.objects[op.object].width;
    }
    return std::move(report_);
  }

 private:
  void sequence(const ir::Sequence& items, const Loop* loop, bool in_head) {
    const auto steps = schedule_.num_steps.find(&items);
    const bool in_nest = steps == schedule_.num_steps.end();
    // A loop without a head starts with its body.
    const bool empty_head =
        in_head && items.empty() && ir::is_constant(process_, loop->condition, 1);
    if (!in_nest && !empty_head) report_.states += steps->second;
    for (const ir::Item& item : items) {
      if (const auto* inner = std::get_if<std::unique_ptr<Loop>>(&item)) {
        this->loop(**inner);
        continue;
      }
      const ValueId value = std::get<ValueId>(item);
      const Op& op = process_.ops[value];
      report_.schedule.push_back({loop == nullptr ? "" : loop->name, in_head, in_nest,
                                  schedule_.step[value], schedule_.ready_ns[value], value,
                                  operation_text(design_, op), place_text(op.location)});
    }
  }

  void loop(const Loop& loop) {
    if (const auto found = schedule_.nests.find(&loop); found != schedule_.nests.end()) {
      ++report_.states;
      nest(found->second);
    }
    sequence(loop.head, &loop, true);
    sequence(loop.body, &loop, false);
  }

  void nest(const schedule::Nest& nest) {
    NestReport& report = report_.nests.emplace_back();
    for (const Loop* level : nest.levels) report.loops.push_back(level->name);
    report.place = place_text(nest.levels.back()->location);
    report.interval = nest.initiation_interval;
    report.stages = nest.stages;
    std::map<ObjectId, RamUse> rams;
    for (const ir::Item& item : nest.levels.back()->body) {
      const ValueId value = std::get<ValueId>(item);
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRamRead) rams[op.object].reads.push_back(schedule_.step[value]);
      if (op.opcode == Opcode::kRamWrite) rams[op.object].writes.push_back(schedule_.step[value]);
    }
    for (auto& [ram, use] : rams) finish(ram, use);
    report.holds = holds(*nest.levels.back(), rams);
    for (auto& [ram, use] : rams) report.rams.push_back(std::move(use));
  }

  std::vector<HoldPoint> holds(const Loop& loop, const std::map<ObjectId, RamUse>& rams) const {
    std::map<std::tuple<uint32_t, std::string, std::string>, HoldPoint> points;
    for (const ir::Item& item : loop.body) {
      const ValueId value = std::get<ValueId>(item);
      const auto add = [&](uint32_t stage, const std::string& reason) {
        Op op = process_.ops[value];
        op.name.clear();
        const std::string operation = operation_text(design_, op);
        HoldPoint& point = points[{stage, operation, reason}];
        if (point.count++ == 0) point = {stage, operation, reason, place_text(op.location), 1};
      };
      const uint32_t stage = schedule_.step[value];
      if (const std::string reason = why_it_holds(value, rams); !reason.empty()) add(stage, reason);
      if (waits_with_its_word(value) &&
          rams.at(process_.ops[value].object).writes.back() > stage + 2)
        add(stage + 1, "a word's write");
    }
    std::vector<HoldPoint> sorted;
    for (auto& [key, point] : points) sorted.push_back(std::move(point));
    return sorted;
  }

  void finish(ObjectId ram, RamUse& use) const {
    use.ram = design_.objects[ram].name;
    for (std::vector<uint32_t>* stages : {&use.reads, &use.writes}) {
      std::sort(stages->begin(), stages->end());
      stages->erase(std::unique(stages->begin(), stages->end()), stages->end());
    }
    if (!use.reads.empty() && !use.writes.empty())
      use.distance = use.writes.back() - use.reads.front();
  }

  std::string why_it_holds(ValueId value, const std::map<ObjectId, RamUse>& rams) const {
    const Op& op = process_.ops[value];
    if (ir::may_wait(op.opcode)) return waited_for(op.opcode);
    if (op.opcode != Opcode::kRamRead && op.opcode != Opcode::kRamWrite) return "";
    std::vector<std::string> reasons;
    const bind::RamPorts& ports = binding_.ram_ports.at(op.object);
    const bool reads = op.opcode == Opcode::kRamRead;
    if (reads ? ports.read_waits(index_) : ports.write_waits(index_))
      reasons.push_back("another process's turn");
    const RamUse& use = rams.at(op.object);
    const uint32_t stage = schedule_.step[value];
    if (reads) {
      // A read in the stage before the write gets its word by forwarding.
      if (!waits_with_its_word(value) && !use.writes.empty() && use.writes.back() > stage + 1)
        reasons.push_back("a word's write");
      if (use.reads.back() > stage) reasons.push_back("a later stage's read");
    }
    return fmt::format("{}", fmt::join(reasons, ", "));
  }
  bool waits_with_its_word(ValueId read) const { return schedule_.late_words.contains(read); }

  static std::string waited_for(Opcode opcode) {
    switch (opcode) {
      case Opcode::kStreamRead:
        return "an item";
      case Opcode::kReadBeat:
        return "a beat";
      case Opcode::kWriteWait:
        return "memory";
      case Opcode::kStreamWrite:
      case Opcode::kReadRequest:
      case Opcode::kWriteRequest:
      case Opcode::kWriteBeat:
        return "space";
      case Opcode::kRamRead:
      case Opcode::kRamWrite:
      case Opcode::kRegisterRead:
      case Opcode::kRegisterWrite:
      case Opcode::kInputRead:
      case Opcode::kHalt:
      VTA_HLSC_CASES_OF_PURE:
        break;
    }
    return "space";
  }

  const ir::Design& design_;
  const size_t index_;
  const ir::Process& process_;
  const schedule::ProcessSchedule& schedule_;
  const bind::Binding& binding_;
  ProcessReport report_;
};

std::vector<MemoryReport> memories(const ir::Design& design,
                                   const std::map<ObjectId, bind::RamPorts>& rams) {
  std::set<std::pair<ObjectId, Opcode>> uses;
  for (const ir::Process& process : design.processes) {
    for (const Op& op : process.ops) uses.emplace(op.object, op.opcode);
  }
  std::vector<MemoryReport> all;
  for (ObjectId id = 0; id < design.objects.size(); ++id) {
    const ir::Object& object = design.objects[id];
    const auto ram = rams.find(id);
    const bool is_fifo =
        uses.contains({id, Opcode::kStreamRead}) && uses.contains({id, Opcode::kStreamWrite});
    if (ram == rams.end() && !is_fifo) continue;
    all.push_back({object.name, is_fifo, object.width, object.depth, object.banks,
                   is_fifo ? ramb36_of_fifo(object) : ramb36(object, ram->second)});
  }
  return all;
}

}  // namespace

Report report(const ir::Design& design, const schedule::Schedule& schedule,
              const bind::Binding& binding) {
  Report report{design.name, schedule.options.period_ns, {}, memories(design, binding.ram_ports)};
  for (size_t i = 0; i < design.processes.size(); ++i)
    report.processes.push_back(ProcessReporter(design, i, schedule.processes[i], binding).run());
  return report;
}

}  // namespace vta::hlsc::report
