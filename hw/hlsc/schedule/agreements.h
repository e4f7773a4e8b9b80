// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_AGREEMENTS_H_
#define VTA_HW_HLSC_SCHEDULE_AGREEMENTS_H_

#include <set>
#include <vector>

#include "hw/hlsc/schedule/body_stages.h"

namespace vta::hlsc::schedule {

// What one iteration of a pipelined body agrees upon with other processes
// (transform/shared_memory.h) for the next one: an access of the one comes before what the other
// gives, and what the one takes before an access of the other. An iteration is at most
// `initiation_interval` stages behind the one before it, so that this is a rule about stages.
class Agreements {
 public:
  Agreements(const ir::Design& design, const ir::Process& process, const ir::Loop& loop,
             const std::set<ir::ObjectId>& shared, BodyStages& stages);

  // Asks for delays; whether there are any.
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

#endif  // VTA_HW_HLSC_SCHEDULE_AGREEMENTS_H_
