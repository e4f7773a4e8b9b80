// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/core_waits.h"

namespace vta::sim {
namespace {

struct Place {
  const char* channel;
  bool for_room;
};
constexpr Place kPlaces[] = {
#define VTA_END(process) {"", false},
#define VTA_WAIT(process, channel, what, for_room) {#channel, for_room},
#include "sim/timed/waits.def"
};

constexpr const char* kStages[] = {
#define VTA_PROCESS(process, stage) #stage,
#include "sim/timed/waits.def"
};

}  // namespace

std::vector<StageEnd> CoreWaits::stage_ends(const ProcessStatuses& statuses) const {
  std::vector<StageEnd> ends;
  for (int process = 0; process < kNumProcesses; ++process) {
    StageEnd end{kStages[process], statuses[process], "", false};
    const uint64_t waits = bits_ & kTables.all[process];
    if (waits != 0) {
      const Place& place = kPlaces[std::countr_zero(waits)];
      end.channel = place.channel;
      end.for_room = place.for_room;
    }
    ends.push_back(end);
  }
  return ends;
}

}  // namespace vta::sim
