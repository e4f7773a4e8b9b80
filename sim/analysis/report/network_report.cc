// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/network_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "driver/device.h"
#include "runtime/host/host_operators.h"
#include "runtime/session/session.h"
#include "sim/analysis/report/bounds.h"
#include "sim/timed/run_clock.h"

namespace vta::sim {
namespace {

// One inference of zeros: cycles do not depend on data.
InferenceReport infer(const Program& program, driver::Device& device) {
  std::vector<Tensor> inputs;
  for (const ProgramInput& input : program.inputs)
    inputs.emplace_back(program.value(input.value).type);
  Session session(program, device, host::execute);
  InferenceReport report;
  session.run(inputs, &report);
  return report;
}

std::string type_text(const Program& program, const std::vector<ValueId>& values) {
  return values.empty() ? "" : to_string(program.value(values[0]).type);
}

constexpr double kFewUseful = 0.9;  // share of useful multiplications worth a remark

class ReportBuilder {
 public:
  explicit ReportBuilder(const ReportSource& source)
      : source_(source), program_(source.program), memory_(source.memory) {
    report_.network = program_.network;
    report_.mode = program_.mode;
    report_.quantize = program_.quantize;
    report_.weights = program_.weights;
    report_.calibration = source.calibration;
    report_.core = program_.core;
    report_.batch = program_.batch;
    report_.memory = memory_;
    report_.clock_mhz = source.clock_mhz;
    report_.arena = arena_map(program_);
    report_.arena_bytes = program_.arena_bytes;
    report_.arena_image_bytes = program_.arena_image.size();
    report_.fpga = source.fpga;
    report_.what_if = possible_changes(memory_);
  }

  NetworkReport build() {
    progress(0);
    Recording recording;
    const InferenceReport measured = run(memory_, &recording);
    report_.counters = measured.counters;
    report_.runs = recording.runs();
    add_layers(measured);
    add_compiled();
    for (const RecordedDeviceRun& one : report_.runs)
      report_.scratchpads.push_back(scratchpad_map(one, program_.core, program_.arena_image));
    run_changes();
    std::ranges::move(bounds(measured, program_.core, program_.batch, memory_),
                      std::back_inserter(report_.what_if));
    std::ranges::sort(report_.what_if, {},
                      [](const WhatIf& one) { return std::pair(one.time(), one.change); });
    return std::move(report_);
  }

 private:
  void progress(size_t runs) const {
    if (!source_.on_progress) return;
    source_.on_progress(
        "cycle model", static_cast<double>(runs) / static_cast<double>(report_.what_if.size() + 1));
  }

  InferenceReport run(const MemoryConfig& memory, Recording* recording) const {
    const auto device = source_.make_device(program_.core, memory);
    if (recording != nullptr) device->record_runs(*recording);
    return infer(program_, *device);
  }

  // The steps of a stream are the parts of a run, views between them included.
  void add_layers(const InferenceReport& measured) {
    const std::vector<StreamSteps> streams = streams_of(program_);
    size_t run = 0;  // of the current or the next stream
    uint64_t cycle = 0;
    for (size_t step = 0; step < program_.steps.size(); ++step) {
      ReportedLayer layer;
      layer.measured = measured.layers.at(step);
      add_step(program_.steps[step], layer);
      layer.first_cycle = cycle;
      if (run < streams.size() && step == streams[run].end) ++run;
      if (run < streams.size() && step >= streams[run].first) {
        layer.is_part_of_run = true;
        const RecordedDeviceRun& recorded = report_.runs.at(run);
        add_measurements(recorded, recorded.parts.at(step - streams[run].first), layer);
      }
      cycle += layer.cycles() + (layer.measured.ends_run ? RunClock::kQuietCycles : 0);
      report_.layers.push_back(std::move(layer));
    }
  }

  void add_step(const ProgramStep& step, ReportedLayer& layer) {
    layer.input = type_text(program_, step.inputs);
    layer.output = type_text(program_, step.outputs);
    if (step.kind == ProgramStep::Kind::kHost) layer.host_reason = text_of(step.host_reason);
    const double seconds = std::exchange(layer.measured.seconds, 0);
    if (layer.measured.where == Place::kHost) layer.host_seconds = seconds;
    for (const ValueId value : step.inputs) {
      const auto found = producers_.find(value);
      if (found != producers_.end()) layer.reads.push_back(found->second);
    }
    for (const ValueId value : step.outputs) producers_[value] = report_.layers.size();
  }

  void add_measurements(const RecordedDeviceRun& run, const RecordedPart& part,
                        ReportedLayer& layer) const {
    layer.has_instructions = part.first_instruction < part.end_instruction;
    layer.stalls = part.stalls;
    layer.traffic = layer_traffic(
        std::span(run.instructions)
            .subspan(part.first_instruction, part.end_instruction - part.first_instruction),
        program_.core);
    layer.memory_bound_cycles = memory_bound_cycles(layer.traffic, memory_);
    layer.limit = find_limit(layer.measured.counters, layer.stalls);
    if (layer.limit.limit == Limit::kArray) layer.limit.why += useful_text(layer);
  }

  // "; 6 % of its multiplications are useful: ..."; "" if most are.
  std::string useful_text(const ReportedLayer& layer) const {
    const double useful = static_cast<double>(layer.measured.macs * program_.batch) /
                          (static_cast<double>(layer.measured.counters.gemm_counter) *
                           report_.peak_macs() / program_.core.pixels);
    if (!(useful < kFewUseful)) return "";
    return fmt::format(
        "; {:.0f} % of its multiplications are useful, the others are padding, zeros of groups, or "
        "repeated at the edges of tiles",
        100 * useful);
  }

  // What only the compiler knows, by the layer's name.
  void add_compiled() {
    std::map<std::string, const LayerSummary*> summaries;
    for (const LayerSummary& summary : source_.layers) summaries[summary.layer] = &summary;
    std::map<std::string, const quantize::LayerSensitivity*> noises;
    if (source_.noise) {
      report_.snr_db = source_.noise->snr_db;
      for (const auto& layer : source_.noise->layers) noises[layer.layer] = &layer;
    }
    for (ReportedLayer& layer : report_.layers) {
      const auto summary = summaries.find(layer.measured.name);
      if (layer.has_instructions && summary != summaries.end()) {
        layer.tiles = summary->second->tiles;
        layer.tiling = summary->second->tiling;
      }
      const auto found = noises.find(layer.measured.name);
      if (found != noises.end()) layer.noise = *found->second;
    }
  }

  void run_changes() {
    size_t runs = 0;
    for (WhatIf& change : report_.what_if) {
      progress(++runs);
      const InferenceReport measured = run(change.memory, nullptr);
      change.cycles = measured.counters.cycles.value_or(0);
      for (size_t step = 0; step < measured.layers.size(); ++step) {
        double& seconds = report_.layers[step].host_seconds;
        seconds = std::min(seconds, measured.layers[step].seconds);
        change.layer_cycles.push_back(measured.layers[step].counters.cycles.value_or(0));
      }
    }
  }

  const ReportSource& source_;
  const Program& program_;
  const MemoryConfig memory_;
  NetworkReport report_;
  std::map<ValueId, size_t> producers_;  // steps
};

}  // namespace

uint64_t NetworkReport::num_macs() const {
  uint64_t macs = 0;
  for (const ReportedLayer& layer : layers) macs += layer.measured.macs * batch;
  return macs;
}

uint64_t NetworkReport::num_min_bytes() const {
  uint64_t bytes = 0;
  for (const ReportedLayer& layer : layers) bytes += layer.traffic.sum_min_bytes();
  return bytes;
}

NetworkReport make_network_report(const ReportSource& source) {
  return ReportBuilder(source).build();
}

}  // namespace vta::sim
