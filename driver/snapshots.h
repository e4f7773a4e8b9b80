// SPDX-License-Identifier: Apache-2.0
//
// Snapshots: the ends of a program's parts, which the hardware records in a table that is read
// through its registers (hw/rtl/registers/README.md, "Snapshots").
#ifndef VTA_DRIVER_SNAPSHOTS_H_
#define VTA_DRIVER_SNAPSHOTS_H_

#include <span>
#include <vector>

#include "driver/device.h"
#include "hw/registers/register_bus.h"

namespace vta::driver {

class Snapshots {
 public:
  // The core must be idle; its table is empty then.
  explicit Snapshots(hw::RegisterBus& bus);

  // Arms the table for the next run. Returns the number of parts; 0 if the table cannot hold them.
  size_t arm(std::span<const RunPart> parts);
  // The next runs record nothing.
  void disarm();
  // After a run of `parts` parts and `run_cycles` cycles: the end of each, without stages. Empty if
  // the run took more than 2^32 - 1 cycles, the width of the table.
  std::vector<PartEnd> read(size_t parts, uint64_t run_cycles);

 private:
  // The latest end of a stage in the selected part, in the simulators' cycles; 0: none has an
  // instruction.
  uint64_t end_of_selected();

  hw::RegisterBus& bus_;
  uint32_t depth_, armed_ = 0;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_SNAPSHOTS_H_
