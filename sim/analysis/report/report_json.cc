// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/report_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "configs/core_timing.h"
#include "sim/analysis/report/headlines.h"
#include "sim/memory/beat_counts.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 1;
constexpr uint64_t kMaxTrafficIntervals = 1024;  // of the plot of traffic over time

// JSON prints doubles with 17 digits; estimates need no more than this.
double rounded(double value, double per_unit = 1000) {
  return std::round(value * per_unit) / per_unit;
}
constexpr double kPerMillion = 1e6;  // of small numbers: seconds of a layer

Json counters_json(const hw::Counters& counters) {
  Json json;
#define VTA_COUNTER(offset, name, description) json[#name] = counters.name;
#include "hw/registers/registers.def"
  json["cycles"] = counters.cycles ? Json(*counters.cycles) : Json(nullptr);
  if (!counters.stages) return json;
  for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage) {
    Json& entry = json["stages"][hw::kStageNames[stage]];
    for (size_t state = 0; state < hw::kNumStageStates; ++state)
      entry[hw::kStageStateNames[state]] = counters.stages->of[stage][state];
  }
  return json;
}

Json traffic_json(const LayerTraffic& traffic) {
  Json json;
  for (size_t kind = 0; kind < kNumTrafficKinds; ++kind) {
    json[kTrafficKindNames[kind]] = {{"bytes", traffic.bytes[kind]},
                                     {"min_bytes", traffic.min_bytes[kind]}};
  }
  return json;
}

Json cost_json(const lower::TilingCost& cost) {
  return {{"gemm_cycles", rounded(cost.gemm_cycles)},
          {"alu_cycles", rounded(cost.alu_cycles)},
          {"load_cycles", rounded(cost.load_cycles)},
          {"store_cycles", rounded(cost.store_cycles)},
          {"exposed_cycles", rounded(cost.exposed_cycles)},
          {"dram_bytes", rounded(cost.dram_bytes)},
          {"total_cycles", rounded(cost.total_cycles)}};
}

Json tiling_json(const lower::TilingReport& tiling) {
  Json json = {{"cost", cost_json(tiling.cost)}, {"num_legal", tiling.num_legal},
               {"inp_slots", tiling.inp_slots},  {"wgt_slots", tiling.wgt_slots},
               {"inp_elems", tiling.inp_elems},  {"wgt_elems", tiling.wgt_elems},
               {"acc_elems", tiling.acc_elems}};
  if (!tiling.next.empty()) {
    json["next"] = tiling.next;
    json["next_cost"] = cost_json(tiling.next_cost);
  }
  return json;
}

// To 6 digits: a range of small numbers is not 0.
double shortened(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  return rounded(value, std::pow(10, 5 - std::floor(std::log10(std::abs(value)))));
}

Json range_json(const quantize::Range& range) { return {shortened(range.lo), shortened(range.hi)}; }

void add_noise(const quantize::LayerSensitivity& noise, Json& json) {
  json["snr_db"] = rounded(noise.snr_db);
  json["weights"] = range_json(noise.weights);
  json["results"] = range_json(noise.results);
  json["int8_min"] = shortened(noise.int8_min);
  json["int8_max"] = shortened(noise.int8_max);
  json["clipped_percent"] = rounded(100 * noise.clipped);
}

Json layer_json(const ReportedLayer& layer) {
  Json json = {{"name", layer.measured.name},
               {"op", layer.measured.op},
               {"where", to_string(layer.measured.where)},
               {"input", layer.input},
               {"output", layer.output},
               {"reads", layer.reads},
               {"first_cycle", layer.first_cycle},
               {"macs", layer.measured.macs}};
  if (!layer.host_reason.empty()) json["host_reason"] = layer.host_reason;
  json.update(counters_json(layer.measured.counters));
  if (!layer.has_instructions) return json;
  json["limit"] = to_string(layer.limit.limit);
  json["why"] = layer.limit.why;
  json["memory_bound_cycles"] = layer.memory_bound_cycles;
  for (const GemmStall& stall : layer.stalls) json["stalls"][stall.channel] = stall.cycles;
  json["traffic"] = traffic_json(layer.traffic);
  if (!layer.tiles.empty()) json["tiles"] = layer.tiles;
  if (layer.tiling) json["tiling"] = tiling_json(*layer.tiling);
  if (layer.noise) add_noise(*layer.noise, json);
  return json;
}

Json resources_json(const FpgaResources& resources) {
  return {{"LUT", resources.lut},
          {"FF", resources.ff},
          {"DSP48E1", resources.dsp48e1},
          {"RAMB36", resources.ramb36}};
}

Json fpga_json(const FpgaUse& fpga) {
  return {{"part", fpga.part.name},
          {"uses", resources_json(fpga.uses)},
          {"has", resources_json(fpga.part.has)}};
}

Json what_if_json(const WhatIf& change) {
  return {{"change", change.change}, {"memory", Json::parse(to_json(change.memory))},
          {"clock", change.clock},   {"is_bound", change.is_bound},
          {"cycles", change.cycles}, {"layer_cycles", change.layer_cycles}};
}

// A column of numbers that mostly increase, as differences from the one before.
class Differences {
 public:
  void add(uint64_t value) {
    json_.push_back(static_cast<int64_t>(value) - static_cast<int64_t>(last_));
    last_ = value;
  }
  Json take() { return std::move(json_); }

 private:
  Json json_ = Json::array();
  uint64_t last_ = 0;
};

// The instructions of all runs, numbered through, and the layers that they belong to.
class TimelineWriter {
 public:
  explicit TimelineWriter(const NetworkReport& report) : report_(report) {
    for (size_t step = 0; step < report.layers.size(); ++step)
      if (report.layers[step].is_part_of_run) layers_.push_back(step);
  }

  Json write() {
    Json json;
    write_instructions(json["instructions"]);
    for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage)
      json["tracks"].push_back(track_json(stage));
    json["runs"] = Json::array();
    for (const RecordedDeviceRun& run : report_.runs)
      json["runs"].push_back(
          {{"name", run.name}, {"first_cycle", run.first_cycle}, {"cycles", run.cycles}});
    json["dram"] = traffic();
    return json;
  }

  // Columns of the regions of a scratchpad in all runs.
  Json regions(size_t scratchpad) const {
    Json columns = {{"cycles", Json::array()},
                    {"first", Json::array()},
                    {"count", Json::array()},
                    {"layer", Json::array()}};
    Differences begin;
    size_t first_part = 0;
    for (size_t run = 0; run < report_.runs.size(); ++run) {
      for (const ScratchpadRegion& region : report_.scratchpads[run].regions[scratchpad]) {
        begin.add(report_.runs[run].first_cycle + region.begin);
        columns["cycles"].push_back(region.end - region.begin);
        columns["first"].push_back(region.first);
        columns["count"].push_back(region.count);
        columns["layer"].push_back(layers_.at(first_part + region.part));
      }
      first_part += report_.runs[run].parts.size();
    }
    columns["begin"] = begin.take();
    return columns;
  }

 private:
  // Every instruction as the number of its text; the instructions of a layer are consecutive.
  void write_instructions(Json& json) const {
    std::map<std::string, size_t> numbers;
    json = {{"texts", Json::array()}, {"text", Json::array()}, {"layers", Json::array()}};
    size_t layer = 0, first = 0;
    for (const RecordedDeviceRun& run : report_.runs) {
      for (const RecordedPart& part : run.parts)
        json["layers"].push_back({first + part.end_instruction, layers_.at(layer++)});
      for (const isa::Instruction& instruction : run.instructions) {
        const auto [found, is_new] =
            numbers.try_emplace(isa::disassemble(instruction), numbers.size());
        if (is_new) json["texts"].push_back(found->first);
        json["text"].push_back(found->second);
      }
      first += run.instructions.size();
    }
  }

  Json track_json(size_t stage) const {
    Json json = {{"name", hw::kStageNames[stage]},
                 {"cycles", Json::array()},
                 {"token", Json::array()},
                 {"memory", Json::array()}};
    Differences begin, index;
    size_t first = 0;
    for (const RecordedDeviceRun& run : report_.runs) {
      for (const InstructionSpan& span : run.spans[stage]) {
        begin.add(run.first_cycle + span.begin);
        index.add(first + span.index);
        json["cycles"].push_back(span.end - span.begin);
        json["token"].push_back(span.token_cycles);
        json["memory"].push_back(span.memory_cycles);
      }
      first += run.instructions.size();
    }
    json["begin"] = begin.take();
    json["index"] = index.take();
    return json;
  }

  // Bytes by master in intervals of equal length.
  Json traffic() const {
    uint64_t end = 0;
    for (const RecordedDeviceRun& run : report_.runs) end = run.first_cycle + run.cycles;
    uint64_t interval = BeatCounts::kIntervalCycles;
    while (end / interval > kMaxTrafficIntervals) interval *= 2;
    Json json = {{"interval_cycles", interval}};
    for (size_t master = 0; master < kNumMemoryMasters; ++master) {
      std::vector<uint64_t> bytes(end / interval + 1);
      for (const RecordedDeviceRun& run : report_.runs) {
        for (size_t i = 0; i < run.beats[master].size(); ++i) {
          const uint64_t cycle = run.first_cycle + i * BeatCounts::kIntervalCycles;
          bytes.at(std::min(cycle / interval, end / interval)) +=
              uint64_t{run.beats[master][i]} * kBeatBytes;
        }
      }
      json["bytes"][kMemoryMasterNames[master]] = bytes;
    }
    return json;
  }

  const NetworkReport& report_;
  std::vector<size_t> layers_;  // by part of all runs
};

Json scratchpads_json(const NetworkReport& report, const TimelineWriter& timeline) {
  Json json = Json::array();
  for (size_t i = 0; i < kNumScratchpads; ++i) {
    json.push_back({{"name", kScratchpadNames[i]},
                    {"depth", depth_of(static_cast<Scratchpad>(i), report.core)},
                    {"regions", timeline.regions(i)}});
  }
  return json;
}

Json arena_json(const NetworkReport& report) {
  Json json = {{"bytes", report.arena_bytes},
               {"image_bytes", report.arena_image_bytes},
               {"tensors", Json::array()}};
  for (const ArenaRegion& region : report.arena) {
    json["tensors"].push_back({{"name", region.name},
                               {"offset_bytes", region.offset_bytes},
                               {"bytes", region.size_bytes},
                               {"first_layer", region.first_step},
                               {"last_layer", region.last_step}});
  }
  return json;
}

Json headlines_json(const NetworkReport& report) {
  Json json = Json::array();
  for (const Headline& headline : headlines(report)) {
    json.push_back({{"topic", headline.topic}, {"text", headline.text}, {"layer", headline.layer}});
  }
  return json;
}

Json causes_json() {
  Json json;
  for (const GemmStall& stall : gemm_stalls()) json[stall.channel] = stall.cause;
  return json;
}

}  // namespace

std::string to_json(const NetworkReport& report) {
  Json json = {{"report", kFormatVersion},
               {"network", report.network},
               {"mode", report.mode},
               {"quantize", report.quantize},
               {"weights", report.weights},
               {"calibration", report.calibration},
               {"core", report.core.name},
               {"core_config", Json::parse(to_json(report.core))},
               {"batch", report.batch},
               {"memory", Json::parse(to_json(report.memory))},
               {"clock_mhz", report.clock_mhz},
               {"peak_macs_per_cycle", report.peak_macs()},
               {"peak_bytes_per_cycle", peak_bytes_per_cycle(report.memory)},
               {"headlines", headlines_json(report)},
               {"counters", counters_json(report.counters)},
               {"macs", report.num_macs()}};
  if (report.snr_db) json["snr_db"] = rounded(*report.snr_db);
  json["stall_causes"] = causes_json();
  json["layers"] = Json::array();
  for (const ReportedLayer& layer : report.layers) json["layers"].push_back(layer_json(layer));
  json["host_seconds"] = Json::array();
  for (const ReportedLayer& layer : report.layers)
    json["host_seconds"].push_back(rounded(layer.host_seconds, kPerMillion));
  if (report.fpga) json["fpga"] = fpga_json(*report.fpga);
  json["what_if"] = Json::array();
  for (const WhatIf& change : report.what_if) json["what_if"].push_back(what_if_json(change));
  TimelineWriter timeline(report);
  json["timeline"] = timeline.write();
  json["scratchpads"] = scratchpads_json(report, timeline);
  json["arena"] = arena_json(report);
  // File names may contain any bytes.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vta::sim
