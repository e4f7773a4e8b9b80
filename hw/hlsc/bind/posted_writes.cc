// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/posted_writes.h"

#include <algorithm>
#include <set>

#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::bind {
namespace {

using ir::ValueId;

// The steps of a process in which it writes the RAM and those in which it gives something; a nest
// counts as one step, because it is left when its pipeline is empty.
class Writer {
 public:
  Writer(const ir::Process& process, const schedule::ProcessSchedule& schedule, ir::ObjectId ram)
      : process_(process), schedule_(schedule), ram_(ram) {}

  bool gives_while_writing(const ir::Sequence& sequence) const {
    std::set<uint32_t> writes, gives;
    bool found = false;
    ir::for_each_item(
        sequence,
        [&](ValueId value) {
          if (is_write(value)) writes.insert(schedule_.step[value]);
          if (is_give(value)) gives.insert(schedule_.step[value]);
        },
        [&](const ir::Loop& loop) { found |= gives_while_writing(loop); });
    return found ||
           std::ranges::any_of(writes, [&](uint32_t step) { return gives.contains(step); });
  }

 private:
  bool gives_while_writing(const ir::Loop& loop) const {
    if (!schedule_.nests.contains(&loop))
      return gives_while_writing(loop.head) || gives_while_writing(loop.body);
    bool writes = false, gives = false;
    const auto visit = [&](ValueId value) {
      writes |= is_write(value);
      gives |= is_give(value);
    };
    ir::for_each_op(loop.head, visit);
    ir::for_each_op(loop.body, visit);
    return writes && gives;
  }

  bool is_write(ValueId value) const {
    const ir::Op& op = process_.ops[value];
    return op.opcode == ir::Opcode::kRamWrite && op.object == ram_;
  }
  bool is_give(ValueId value) const {
    const ir::Opcode opcode = process_.ops[value].opcode;
    return ir::accesses_channel(opcode) && !ir::takes(opcode);
  }

  const ir::Process& process_;
  const schedule::ProcessSchedule& schedule_;
  const ir::ObjectId ram_;
};

}  // namespace

bool can_post_writes(const ir::Design& design, const schedule::Schedule& schedule, ir::ObjectId ram,
                     const RamPorts& ports) {
  if (ports.is_true_dual_port || ports.writers.size() != 1) return false;
  const size_t writer = ports.writers[0];
  if (std::ranges::find(ports.readers, writer) != ports.readers.end()) return false;
  const ir::Process& process = design.processes[writer];
  return !Writer(process, schedule.processes[writer], ram).gives_while_writing(process.body);
}

}  // namespace vta::hlsc::bind
