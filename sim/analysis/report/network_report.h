// SPDX-License-Identifier: Apache-2.0
//
// NetworkReport: where the cycles and bytes of an inference go, layer by layer, measured on the
// cycle model. report_json.h writes it; README.md describes it.
#ifndef VTA_SIM_ANALYSIS_REPORT_NETWORK_REPORT_H_
#define VTA_SIM_ANALYSIS_REPORT_NETWORK_REPORT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "configs/memory_config.h"
#include "configs/parts.h"
#include "runtime/program/program.h"
#include "runtime/session/inference_report.h"
#include "sim/analysis/report/arena_map.h"
#include "sim/analysis/report/layer_limit.h"
#include "sim/analysis/report/layer_traffic.h"
#include "sim/analysis/report/recording.h"
#include "sim/analysis/report/scratchpad_map.h"
#include "sim/analysis/report/what_if.h"
#include "sim/timed/run_listener.h"

namespace vta::sim {

// A step of the program.
struct ReportedLayer {
  LayerReport measured;
  bool is_part_of_run = false;    // the steps of a run are its parts, in order
  bool has_instructions = false;  // false: on the host, or a view
  std::string input, output;      // types: "int8[1, 64, 56, 56]"
  std::vector<size_t> reads;      // steps whose results it reads
  std::string host_reason;        // text_of(), of an operator on the host
  double host_seconds = 0;        // on this machine, the least of all runs; 0 on the core
  uint64_t first_cycle = 0;       // over all runs (sim/timed/waveform.h)
  std::vector<GemmStall> stalls;
  LayerTraffic traffic;
  uint64_t memory_bound_cycles = 0;  // memory_bound_cycles()
  LayerLimit limit;
  std::string tiles;  // LayerSummary::tiles; "" if unknown
  std::optional<lower::TilingReport> tiling;
  std::optional<quantize::LayerSensitivity> noise;  // of its int8 result

  uint64_t cycles() const { return measured.counters.cycles.value_or(0); }
};

// What the core takes of an FPGA, as mapped by yosys.
struct FpgaUse {
  FpgaPart part;
  FpgaResources uses;
};

struct NetworkReport {
  std::string network, mode, quantize, weights, calibration;
  CoreConfig core;
  int64_t batch = 1;  // Program::batch
  MemoryConfig memory;
  double clock_mhz = 100;  // for times; `memory` is at this clock
  std::vector<ReportedLayer> layers;
  hw::Counters counters;         // sums
  std::optional<double> snr_db;  // of the network's results
  std::vector<RecordedDeviceRun> runs;
  std::vector<ScratchpadMap> scratchpads;  // by run
  std::vector<ArenaRegion> arena;
  uint64_t arena_bytes = 0, arena_image_bytes = 0;
  std::vector<WhatIf> what_if;  // runs and bounds.h, the shortest time first
  std::optional<FpgaUse> fpga;

  uint64_t cycles() const { return counters.cycles.value_or(0); }
  // MACs per cycle of the whole array.
  double peak_macs() const { return core.macs(); }
  // The least cycles of the micro-ops of GEMM.
  uint64_t multiplying(const hw::Counters& of) const {
    return (of.gemm_counter + core.pixels - 1) / core.pixels;
  }
  uint64_t num_macs() const;       // of one inference
  uint64_t num_min_bytes() const;  // LayerTraffic::sum_min_bytes()
};

// Makes a device that counts the cycles of a core with a memory (make_timing_device()).
using TimingDevices = std::function<std::unique_ptr<RecordingDevice>(const CoreConfig& core,
                                                                     const MemoryConfig& memory)>;

struct ReportSource {
  TimingDevices make_device;
  const Program& program;
  std::vector<LayerSummary> layers;  // empty: unknown
  std::optional<quantize::Sensitivity> noise;
  std::string calibration;
  MemoryConfig memory;
  double clock_mhz = 100;
  std::function<void(const std::string& what, double fraction)> on_progress;
  std::optional<FpgaUse> fpga = std::nullopt;  // nullopt: unknown
};

// Runs the program once with the memory and once with each change of what_if.h. Errors: any error
// of make_device() and Session::run().
NetworkReport make_network_report(const ReportSource& source);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_NETWORK_REPORT_H_
