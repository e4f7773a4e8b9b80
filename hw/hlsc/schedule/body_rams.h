// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_BODY_RAMS_H_
#define VTA_HW_HLSC_SCHEDULE_BODY_RAMS_H_

#include <map>
#include <set>
#include <vector>

#include "hw/hlsc/schedule/body_stages.h"

namespace vta::hlsc::schedule {

// The accesses of a RAM in a pipelined body, in program order.
struct RamUses {
  std::vector<ir::ValueId> reads, writes;
};

// Port and order constraints of the RAMs of a pipelined body (body_scheduler.h). A read after a
// write with an operation in between that takes something from a process that may have changed the
// word comes at least a stage after the write and before the next iteration's write; all other
// reads come no later than a write.
class BodyRams {
 public:
  BodyRams(const ir::Design& design, const ir::Process& process, const ir::Loop& loop,
           const std::set<ir::ObjectId>& shared, BodyStages& stages);

  // Requests delays; returns whether there are any.
  bool delay();

  const std::map<ir::ObjectId, RamUses>& uses() const { return rams_; }
  // Whether the read returns what the body's write stored.
  bool reads_result_of(ir::ValueId read, ir::ValueId write) const;

 private:
  using Group = std::vector<ir::ValueId>;  // writes that are one access
  bool separate_reads(ir::ObjectId ram, const RamUses& uses);
  bool join_writes(ir::ObjectId ram, const RamUses& uses);
  bool read_after_write(ir::ObjectId ram, const RamUses& uses);
  std::vector<Group> groups(const RamUses& uses) const;
  // The earliest stage of a group, regardless of the other groups.
  uint32_t wanted(const Group& group, const RamUses& uses) const;
  bool may_share_a_cycle(ir::ValueId a, ir::ValueId b) const;

  const ir::Design& design_;
  const ir::Process& process_;
  const uint32_t interval_;
  BodyStages& stages_;
  std::map<ir::ObjectId, RamUses> rams_;
  // The position of an access in program order, and the number of operations before it that take
  // something from another process, if its RAM is shared.
  struct Place {
    size_t position;
    uint32_t taken;
  };
  std::map<ir::ValueId, Place> places_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_BODY_RAMS_H_
