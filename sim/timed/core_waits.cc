// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/core_waits.h"

namespace vta::sim {
namespace {

struct Place {
  const char* channel;
  bool for_space;
};
constexpr Place kPlaces[] = {
#define VTA_END(process) {"", false},
#define VTA_WAIT(process, channel, state, for_space) {#channel, for_space},
#include "hw/core/processes.def"
};

}  // namespace

std::vector<StageEnd> CoreWaits::stage_ends(const ProcessStatuses& statuses) const {
  std::vector<StageEnd> ends;
  for (int process = 0; process < kNumProcesses; ++process) {
    Place place{"", false};
    const uint64_t waits = bits_ & kTables.all[process];
    if (waits != 0) place = kPlaces[std::countr_zero(waits)];
    ends.push_back(
        {core::kProcessStages[process], statuses[process], place.channel, place.for_space});
  }
  return ends;
}

}  // namespace vta::sim
