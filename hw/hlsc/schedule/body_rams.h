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

// Port and order constraints of the RAMs of a pipelined body (body_scheduler.h). A read before a
// write, in program order, comes no later, unless their predicates are mutually exclusive. A read
// need not see an earlier write of its own iteration, which has been forwarded to it
// (passes/forward_stores.cc): in both cases it comes anywhere before the next iteration's write.
// With an operation in between that takes something from a process that may have changed the word,
// it comes at least a stage after the write.
class BodyRams {
 public:
  BodyRams(const ir::Design& design, const ir::Process& process, uint32_t interval,
           const std::set<ir::ObjectId>& shared, BodyStages& stages);

  // Requests delays; returns whether there are any.
  bool delay();

  // Exclusive writes of a shared RAM share a cycle, also with an operation in between that waits,
  // which is in that cycle too. After this call, such writes have cycles of their own: they need
  // them if the second depends on the operation. False if this changes nothing.
  bool keep_apart_over_waits();

  const std::map<ir::ObjectId, RamUses>& uses() const { return rams_; }
  // Whether the read returns what the body's write stored.
  bool reads_result_of(ir::ValueId read, ir::ValueId write) const;

 private:
  using Group = std::vector<ir::ValueId>;  // writes that are one access
  void refuse_reads_on_one_predicate(ir::ObjectId ram, const RamUses& uses);
  bool separate_reads(const RamUses& uses);
  bool join_writes(ir::ObjectId ram, const RamUses& uses);
  bool read_after_write(const RamUses& uses);
  // The next iteration's write comes after the read.
  bool read_before_next_write(ir::ObjectId ram, const RamUses& uses);
  bool are_disjoint(ir::ValueId a, ir::ValueId b) const;
  std::vector<Group> groups(const RamUses& uses) const;
  // The earliest stage of a group, regardless of the other groups.
  uint32_t wanted(const Group& group, const RamUses& uses) const;
  bool may_share_a_cycle(ir::ValueId a, ir::ValueId b) const;

  const ir::Design& design_;
  const ir::Process& process_;
  const uint32_t interval_;
  BodyStages& stages_;
  std::map<ir::ObjectId, RamUses> rams_;
  bool joins_over_waits_ = true;
  // The position of an access in program order. If its RAM is shared, also the numbers of
  // operations before it that take something from another process, and that may wait.
  struct Place {
    size_t position;
    uint32_t taken, waits;
  };
  std::map<ir::ValueId, Place> places_;
  std::set<std::pair<ir::ValueId, ir::ValueId>>
      early_writes_;  // and reads that may come after them
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_BODY_RAMS_H_
