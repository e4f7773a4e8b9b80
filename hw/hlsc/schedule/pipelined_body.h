// SPDX-License-Identifier: Apache-2.0
//
// The stages of a nest's pipelined loop, as the binding, the Verilog and the cycle model read them.
#ifndef VTA_HW_HLSC_SCHEDULE_PIPELINED_BODY_H_
#define VTA_HW_HLSC_SCHEDULE_PIPELINED_BODY_H_

#include <cstdint>
#include <set>
#include <vector>

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

class PipelinedBody {
 public:
  // `loop`: the innermost of a nest. All arguments must outlive this.
  PipelinedBody(const ir::Process& process, const ProcessSchedule& schedule, const ir::Loop& loop);

  // All operations in program order; the operations of one stage.
  const std::vector<ir::ValueId>& order() const { return order_; }
  std::vector<ir::ValueId> operations(uint32_t stage) const;

  bool contains(ir::ValueId value) const { return inside_.contains(value); }
  uint32_t stage(ir::ValueId value) const { return schedule_.step[value]; }

  // Whether the word of a read waits one more stage for older iterations' writes (schedule.h).
  bool is_late(ir::ValueId read) const { return schedule_.late_words.contains(read); }
  // The last stage in which the word of a read is updated by them.
  uint32_t word_stage(ir::ValueId read) const { return stage(read) + (is_late(read) ? 1 : 0); }
  // Whether the word of a read passes through the RAM's output register (schedule.h).
  bool is_registered(ir::ValueId read) const { return schedule_.registered_words.contains(read); }
  // Whether the sum's partial sums are in registers after its stage (schedule.h).
  bool is_split(ir::ValueId sum) const { return schedule_.split_sums.contains(sum); }
  // The first stage in which a value can be used; 0 for a value from outside the body.
  uint32_t available(ir::ValueId value) const;

 private:
  const ir::Process& process_;
  const ProcessSchedule& schedule_;
  std::vector<ir::ValueId> order_;
  std::set<ir::ValueId> inside_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_PIPELINED_BODY_H_
