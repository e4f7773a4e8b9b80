// SPDX-License-Identifier: Apache-2.0
#include "tools/c_api/report.h"

#include <algorithm>
#include <utility>

namespace {

using vta::hw::kNumCycleStages;
using vta::hw::kNumStageStates;

static_assert(kNumCycleStages == VTA_NUM_STAGES && kNumStageStates == VTA_NUM_STAGE_STATES);
#define VTA_STAGE_STATE(name, number, description) \
  static_assert(vta::hw::kStageState_##name == number);
#include "hw/registers/registers.def"
#define VTA_SAME_STATE(name, number) \
  static_assert(static_cast<int>(vta::hw::kStageState_##name) == static_cast<int>(number))
VTA_SAME_STATE(busy, VTA_STATE_BUSY);
VTA_SAME_STATE(wait_token, VTA_STATE_WAIT_TOKEN);
VTA_SAME_STATE(wait_memory, VTA_STATE_WAIT_MEMORY);
VTA_SAME_STATE(wait_port, VTA_STATE_WAIT_PORT);
VTA_SAME_STATE(wait_queue, VTA_STATE_WAIT_QUEUE);
VTA_SAME_STATE(idle, VTA_STATE_IDLE);
#undef VTA_SAME_STATE

vta_counters to_c(const vta::hw::Counters& counters) {
  vta_counters c{};
#define VTA_COUNTER(offset, name, description) c.name = counters.name;
#include "hw/registers/registers.def"
  c.has_cycles = counters.cycles.has_value();
  c.cycles = counters.cycles.value_or(0);
  c.has_stages = counters.stages.has_value();
  if (!counters.stages) return c;
  for (size_t stage = 0; stage < kNumCycleStages; ++stage)
    std::ranges::copy(counters.stages->of[stage], c.stages[stage]);
  return c;
}

vta_layer_report to_c(const vta::LayerReport& layer) {
  return {layer.name.c_str(), layer.op.c_str(), to_string(layer.where), layer.macs,
          layer.seconds,      layer.ends_run,   to_c(layer.counters)};
}

}  // namespace

vta_report::vta_report(vta::InferenceReport counted) : report(std::move(counted)) {
  for (const vta::LayerReport& layer : report.layers) layers.push_back(to_c(layer));
  totals = {to_c(report.counters), report.device_seconds, report.host_seconds,
            report.wait_seconds,   layers.size(),         report.copied_bytes};
}

extern "C" {

const vta_run_report* vta_report_totals(const vta_report* report) {
  return report == nullptr ? nullptr : &report->totals;
}

const vta_layer_report* vta_report_layer(const vta_report* report, size_t index) {
  if (report == nullptr || index >= report->layers.size()) return nullptr;
  return &report->layers[index];
}

void vta_report_free(vta_report* report) { delete report; }

}  // extern "C"
