// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/stream_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace vta {
namespace {

void set_cycles(const hw::Counters& run, const std::vector<driver::PartEnd>& ends,
                std::span<LayerReport> layers) {
  driver::PartEnd before{0, hw::StageCycles{}};
  for (size_t i = 0; i < layers.size(); ++i) {
    // The last layer ends with the run.
    const bool is_last = i + 1 == layers.size();
    const driver::PartEnd end = is_last ? driver::PartEnd{*run.cycles, run.stages} : ends[i];
    layers[i].counters.cycles = end.cycles - before.cycles;
    if (end.stages && before.stages) {
      layers[i].counters.stages = end.stages;
      *layers[i].counters.stages -= *before.stages;
    }
    before = end;
  }
}

}  // namespace

StreamRun::StreamRun(const Program& program, StreamSteps steps) : program_(program), steps_(steps) {
  uint32_t end = 0;
  for (size_t i = steps.first; i < steps.end; ++i) {
    end += program.steps[i].num_instructions;
    parts_.push_back({program.steps[i].layer, end});
  }
}

driver::RunRequest StreamRun::request() const {
  driver::RunRequest request;
  request.program_offset_bytes = program_.steps[steps_.first].stream_offset_bytes;
  request.num_instructions = parts_.back().end;
  request.name = parts_.front().name;
  if (parts_.size() > 1) {
    request.name += fmt::format(" to {}", parts_.back().name);
    request.parts = parts_;
  }
  return request;
}

const std::string& StreamRun::layer_of(uint32_t instruction) const {
  const auto found = std::ranges::upper_bound(parts_, instruction, {}, &driver::RunPart::end);
  return found == parts_.end() ? parts_.back().name : found->name;
}

void StreamRun::report(const hw::Counters& run, const std::vector<driver::PartEnd>& ends,
                       double seconds, std::span<LayerReport> layers) {
  if (layers.size() == 1) {
    layers[0].counters = run;
    layers[0].seconds = seconds;
    return;
  }
  layers.back().seconds = seconds;
  if (ends.empty() || !run.cycles || !run.stages || *run.cycles == 0) return;
  set_cycles(run, ends, layers);
  for (LayerReport& layer : layers) {
    layer.seconds =
        seconds * static_cast<double>(*layer.counters.cycles) / static_cast<double>(*run.cycles);
  }
}

}  // namespace vta
