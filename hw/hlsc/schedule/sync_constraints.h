// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_SYNC_CONSTRAINTS_H_
#define VTA_HW_HLSC_SCHEDULE_SYNC_CONSTRAINTS_H_

#include <set>
#include <vector>

#include "hw/hlsc/schedule/body_stages.h"

namespace vta::hlsc::schedule {

// Synchronization between consecutive iterations of a pipelined body, by accesses of memory that
// other processes use (passes/shared_memory.h). Release: such an access of an iteration comes
// before the operations of the next one that give something to another process. Acquire: the
// operations of an iteration that take something come before such an access of the next one. The
// next iteration starts `initiation_interval` cycles later, so these are constraints on stages.
class SyncConstraints {
 public:
  SyncConstraints(const ir::Design& design, const ir::Process& process, uint32_t interval,
                  const std::set<ir::ObjectId>& shared, BodyStages& stages);

  // Requests delays; returns whether there are any.
  bool delay();

 private:
  bool delay(ir::ValueId first, ir::ValueId second);

  const ir::Design& design_;
  const ir::Process& process_;
  const uint32_t interval_;
  BodyStages& stages_;
  std::vector<ir::ValueId> accesses_, gives_, takes_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SYNC_CONSTRAINTS_H_
