// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/layer_limit.h"

#include <fmt/format.h>

#include <algorithm>

namespace vta::sim {
namespace {

struct StageLimit {
  hw::Stage stage;
  Limit limit;
};
constexpr StageLimit kStageLimits[] = {{hw::kStage_gemm, Limit::kArray},
                                       {hw::kStage_load, Limit::kLoads},
                                       {hw::kStage_alu, Limit::kAlu},
                                       {hw::kStage_store, Limit::kStores}};

constexpr double kMinReportedWait = 0.02;

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// "; gemm waits 41 %, mostly because operands are not loaded yet"; "" if it hardly waits.
std::string waiting_text(const std::vector<GemmStall>& stalls, uint64_t cycles) {
  uint64_t sum = 0;
  for (const GemmStall& stall : stalls) sum += stall.cycles;
  const auto main = std::ranges::max_element(stalls, {}, &GemmStall::cycles);
  if (main == stalls.end() || share(sum, cycles) < kMinReportedWait) return "";
  return fmt::format("; gemm waits {:.0f} %, mostly because {}", 100 * share(sum, cycles),
                     main->cause);
}

}  // namespace

uint64_t occupied_cycles(const hw::StageCycles& cycles, hw::Stage stage) {
  const auto& of = cycles.of[stage];
  return of[hw::kStageState_busy] + of[hw::kStageState_wait_memory] + of[hw::kStageState_wait_port];
}

const char* to_string(Limit limit) {
  switch (limit) {
    case Limit::kArray:
      return "array";
    case Limit::kLoads:
      return "loads";
    case Limit::kAlu:
      return "alu";
    case Limit::kStores:
      return "stores";
    case Limit::kLatency:
      return "latency";
    case Limit::kNone:
      return "none";
  }
  return "none";
}

LayerLimit find_limit(const hw::Counters& counters, const std::vector<GemmStall>& stalls) {
  const uint64_t cycles = counters.cycles.value_or(0);
  LayerLimit result;
  if (cycles == 0 || !counters.stages) return result;
  const StageLimit* longest = nullptr;
  for (const StageLimit& stage : kStageLimits) {
    const double occupied = share(occupied_cycles(*counters.stages, stage.stage), cycles);
    if (longest != nullptr && occupied <= result.occupied) continue;
    longest = &stage;
    result.occupied = occupied;
  }
  const double percent = 100 * result.occupied;
  const char* stage = hw::kStageNames[longest->stage];
  if (result.occupied < kMinOccupied) {
    result.limit = Limit::kLatency;
    result.why = fmt::format("no stage is occupied more than {:.0f} % ({})", percent, stage);
  } else {
    result.limit = longest->limit;
    result.why = fmt::format("{} is occupied {:.0f} % of the time", stage, percent);
  }
  result.why += waiting_text(stalls, cycles);
  return result;
}

}  // namespace vta::sim
