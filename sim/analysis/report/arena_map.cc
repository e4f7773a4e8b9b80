// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/arena_map.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace vta::sim {

std::vector<ArenaRegion> arena_map(const Program& program) {
  std::map<ValueId, ArenaRegion> regions;
  for (size_t step = 0; step < program.steps.size(); ++step) {
    const auto touch = [&](ValueId id) {
      const ProgramValue& value = program.value(id);
      if (!value.on_device) return;
      const auto [found, is_new] = regions.try_emplace(id);
      ArenaRegion& region = found->second;
      if (is_new) {
        region = {value.name, value.arena_offset_bytes, packed_size_bytes(value, program.core),
                  step, step};
      }
      region.last_step = step;
    };
    std::ranges::for_each(program.steps[step].inputs, touch);
    std::ranges::for_each(program.steps[step].outputs, touch);
  }
  std::vector<ArenaRegion> sorted;
  for (auto& [id, region] : regions) sorted.push_back(std::move(region));
  std::ranges::sort(sorted, {}, [](const ArenaRegion& region) {
    return std::tuple(region.offset_bytes, region.first_step, region.name);
  });
  return sorted;
}

}  // namespace vta::sim
