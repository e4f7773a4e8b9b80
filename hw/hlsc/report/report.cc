// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/errors/error.h"
#include "hw/hlsc/bind/ram_hazards.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/report/resources.h"
#include "hw/hlsc/schedule/operation_text.h"
#include "hw/hlsc/schedule/pipelined_body.h"

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
    return std::move(report_);
  }

 private:
  // `loop`: the loop whose head or body it is; null for the process's own sequence.
  void sequence(const ir::Sequence& items, const Loop* loop, bool in_head) {
    const auto steps = schedule_.num_steps.find(&items);
    const bool in_nest = steps == schedule_.num_steps.end();
    const bool has_states = !in_nest && (!in_head || ir::has_head(process_, *loop));
    if (has_states) report_.states += steps->second;
    const auto on_op = [&](ValueId value) {
      const Op& op = process_.ops[value];
      report_.schedule.push_back({loop == nullptr ? "" : loop->name, in_head, in_nest,
                                  schedule_.step[value], schedule_.ready_ns[value], value,
                                  operation_text(design_, op), place_text(op.location)});
    };
    ir::for_each_item(items, on_op, [&](const Loop& inner) { this->loop(inner); });
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
    const schedule::PipelinedBody body(process_, schedule_, *nest.levels.back());
    NestReport& report = report_.nests.emplace_back();
    for (const Loop* level : nest.levels) report.loops.push_back(level->name);
    report.place = place_text(nest.levels.back()->location);
    report.interval = nest.initiation_interval;
    report.stages = nest.stages;
    report.stalls = stalls(body);
    report.rams = ram_uses(body);
  }

  // --- Accesses of RAMs in a pipelined body ---

  std::vector<RamUse> ram_uses(const schedule::PipelinedBody& body) const {
    std::map<ObjectId, RamUse> rams;
    for (ValueId value : body.order()) {
      const Op& op = process_.ops[value];
      if (op.opcode == Opcode::kRamRead) rams[op.object].reads.push_back(body.stage(value));
      if (body.is_registered(value)) rams[op.object].has_output_register = true;
      if (op.opcode == Opcode::kRamWrite) rams[op.object].writes.push_back(body.stage(value));
    }
    std::vector<RamUse> uses;
    for (auto& [ram, use] : rams) {
      finish(ram, use);
      uses.push_back(std::move(use));
    }
    return uses;
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

  // --- Stalls of a pipelined body ---

  std::vector<Stall> stalls(const schedule::PipelinedBody& body) const {
    std::map<std::tuple<uint32_t, std::string, std::string>, Stall> all;
    for (ValueId value : body.order()) {
      const auto add = [&](uint32_t stage, const std::string& reason) {
        if (reason.empty()) return;
        Op op = process_.ops[value];
        op.name.clear();
        const std::string operation = operation_text(design_, op);
        Stall& stall = all[{stage, operation, reason}];
        if (stall.count++ == 0) stall = {stage, operation, reason, place_text(op.location), 1};
      };
      add(body.stage(value), reason(body, value));
      // A word that waits a stage stalls there (schedule.h).
      if (body.is_late(value)) add(body.word_stage(value), write_reason(body, value));
    }
    std::vector<Stall> sorted;
    for (auto& [key, stall] : all) sorted.push_back(std::move(stall));
    return sorted;
  }

  // Why the operation may stall its stage; "" if it never does.
  std::string reason(const schedule::PipelinedBody& body, ValueId value) const {
    const Op& op = process_.ops[value];
    if (ir::accesses_channel(op.opcode)) return awaited(op.opcode);
    if (op.opcode != Opcode::kRamRead && op.opcode != Opcode::kRamWrite) return "";
    std::vector<std::string> reasons;
    if (binding_.ram_ports.at(op.object).may_wait(index_, op.opcode))
      reasons.push_back("a port grant");
    if (op.opcode == Opcode::kRamRead) {
      if (const std::string write = write_reason(body, value);
          !write.empty() && !body.is_late(value))
        reasons.push_back(write);
      if (has_older_read(body, value)) reasons.push_back("an older iteration's read");
    }
    return fmt::format("{}", fmt::join(reasons, ", "));
  }

  bool is_on(ValueId value, ObjectId ram, Opcode opcode) const {
    return process_.ops[value].object == ram && process_.ops[value].opcode == opcode;
  }
  bool has_older_read(const schedule::PipelinedBody& body, ValueId read) const {
    return std::ranges::any_of(body.order(), [&](ValueId other) {
      return is_on(other, process_.ops[read].object, Opcode::kRamRead) &&
             bind::waits_for_read(body, read, other);
    });
  }
  // "" if no write of an older iteration stalls the word of the read.
  std::string write_reason(const schedule::PipelinedBody& body, ValueId read) const {
    const bool stalls = std::ranges::any_of(body.order(), [&](ValueId other) {
      return is_on(other, process_.ops[read].object, Opcode::kRamWrite) &&
             !bind::pending_stages(body, read, other).empty();
    });
    return stalls ? "an older iteration's write" : "";
  }

  // What an operation on a stream or a DRAM port waits for.
  static std::string awaited(Opcode opcode) {
    if (!ir::takes(opcode)) return "space";
    switch (ir::info(opcode).channel) {
      case ir::Channel::kStream:
        return "an item";
      case ir::Channel::kBeats:
        return "a beat";
      case ir::Channel::kResponses:
        return "write responses";
      case ir::Channel::kRequests:
      case ir::Channel::kNoChannel:
        break;
    }
    VTA_ASSERT(false, "awaited() of an operation that does not access a stream or DRAM port");
    return "";
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
