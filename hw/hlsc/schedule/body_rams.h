// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_BODY_RAMS_H_
#define VTA_HW_HLSC_SCHEDULE_BODY_RAMS_H_

#include <map>
#include <set>
#include <vector>

#include "hw/hlsc/schedule/body_stages.h"

namespace vta::hlsc::schedule {

// A RAM's accesses in a pipelined body, in program order.
struct RamUses {
  std::vector<ir::ValueId> reads, writes;
};

// The rules of body_scheduler.h for the RAMs of a body. A read behind a write, and behind an
// operation that takes something of a process that may have changed the word, comes a stage after
// the write and before the next iteration's; all other reads come no later than a write.
class BodyRams {
 public:
  BodyRams(const ir::Design& design, const ir::Process& process, const ir::Loop& loop,
           const std::set<ir::ObjectId>& shared, BodyStages& stages);

  // Asks for delays; whether there are any.
  bool delay();

  const std::map<ir::ObjectId, RamUses>& uses() const { return rams_; }
  // Whether the read is of what the body's write has left.
  bool is_behind(ir::ValueId read, ir::ValueId write) const;

 private:
  using Group = std::vector<ir::ValueId>;  // writes of one access
  bool separate_reads(ir::ObjectId ram, const RamUses& uses);
  bool join_writes(ir::ObjectId ram, const RamUses& uses);
  bool read_behind(ir::ObjectId ram, const RamUses& uses);
  std::vector<Group> groups(const RamUses& uses) const;
  // The earliest stage of a group by itself.
  uint32_t wanted(const Group& group, const RamUses& uses) const;
  bool may_share_a_cycle(ir::ValueId a, ir::ValueId b) const;

  const ir::Design& design_;
  const ir::Process& process_;
  const uint32_t interval_;
  BodyStages& stages_;
  std::map<ir::ObjectId, RamUses> rams_;
  // Of an access: its place in program order, and how many operations that take something stand in
  // front of it, as far as they matter to its RAM.
  struct Place {
    size_t position;
    uint32_t taken;
  };
  std::map<ir::ValueId, Place> places_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_BODY_RAMS_H_
