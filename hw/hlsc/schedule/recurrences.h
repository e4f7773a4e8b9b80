// SPDX-License-Identifier: Apache-2.0
//
// Recurrences of a pipelined body: paths from the read of a register to the write that a later
// iteration reads.
#ifndef VTA_HW_HLSC_SCHEDULE_RECURRENCES_H_
#define VTA_HW_HLSC_SCHEDULE_RECURRENCES_H_

#include <map>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

class Recurrences {
 public:
  // `loop` is pipelined. All arguments must outlive this, and must not change meanwhile.
  Recurrences(const ir::Design& design, const ir::Process& process, const ir::Loop& loop);

  // Registers that the body reads and writes.
  std::vector<ir::ObjectId> registers() const;

  // The operations on paths from a read of the register back to it, other registers included. Empty
  // if its next value does not depend on it.
  std::set<ir::ValueId> through(ir::ObjectId reg) const;

  // Whether a path from a read to a write of these operations takes more steps than the loop's
  // initiation interval has.
  bool is_slow(const std::set<ir::ValueId>& recurrence, const Options& options) const;

 private:
  using Accesses = std::map<ir::ObjectId, std::vector<ir::ValueId>>;

  const std::vector<ir::ValueId>& next(ir::ValueId value) const;
  const std::vector<ir::ValueId>& previous(ir::ValueId value) const;

  const ir::Design& design_;
  const ir::Process& process_;
  const ir::Loop& loop_;
  std::map<ir::ValueId, std::vector<ir::ValueId>> uses_;
  Accesses reads_, writes_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_RECURRENCES_H_
