// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/timeline.h"

#include <algorithm>

#include "sim/memory/dram_model.h"

namespace vta::sim {
namespace {

constexpr uint32_t kRunTrack = 1, kLayerTrack = 2;
struct Track {
  const char* name;
  Process process;
};
// Tracks from kLayerTrack + 1 on. In a stage of two processes the track of the one that moves the
// data has the stage's name.
constexpr Track kTracks[] = {{"load (requests)", kProcess_load_request},
                             {"load", kProcess_load_data},
                             {"gemm", kProcess_gemm},
                             {"alu", kProcess_alu},
                             {"store (reads)", kProcess_store_read},
                             {"store", kProcess_store_write}};

constexpr uint32_t track_of(Process process) {
  uint32_t track = kLayerTrack + 1;
  for (const Track& one : kTracks) {
    if (one.process == process) break;
    ++track;
  }
  return track;
}

struct Tokens {
  const char* name;
  Process from, to;
};
constexpr Tokens kTokens[] = {
#define VTA_TOKENS(queue, from, to) {#queue, kProcess_##from, kProcess_##to},
#include "hw/core/processes.def"
};

constexpr const char* kChannels[] = {
#define VTA_END(process) "end",
#define VTA_WAIT(process, channel, what, for_space) #channel,
#include "hw/core/processes.def"
};

constexpr MemoryMaster kReaders[] = {MemoryMaster::kFetch, MemoryMaster::kLoad, MemoryMaster::kUop,
                                     MemoryMaster::kAcc};
constexpr MemoryMaster kWriters[] = {MemoryMaster::kStore};

std::string names_of(const std::vector<TokenQueue>& queues) {
  std::string names;
  for (TokenQueue queue : queues)
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", kTokens[queue].name);
  return names;
}

std::string waits_text(const InstructionWork& work) {
  std::string text;
  for (size_t state = 0; state < hw::kNumStageStates; ++state) {
    if (state == hw::kStageState_busy || work.state_cycles[state] == 0) continue;
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", hw::kStageStateNames[state],
                        work.state_cycles[state]);
  }
  return text;
}

bool is_idle(const RunTrace::WaitSpan& wait) {
  return CoreWaits::state_of(wait.wait) == hw::kStageState_idle;
}

// The layer of an instruction.
const std::string& layer_of(const RecordedRun& run, uint32_t index) {
  const auto found = std::ranges::upper_bound(run.parts, index, {}, &driver::RunPart::end);
  return found == run.parts.end() ? run.name : found->name;
}

}  // namespace

void Timeline::begin(const driver::DeviceDescription& device) {
  config_ = device.core;
  file_.begin(fmt::format(
      "{{\"time\":\"1 us is 1 cycle of the core\",\"device\":{},\"core\":{},"
      "\"counters\":\"bytes in {} cycles\"}}",
      json_string(device.uri), json_string(device.core.name), BeatCounts::kIntervalCycles));
  file_.name_process(fmt::format("{} on {}", device.core.name, device.uri));
  file_.name_track(kRunTrack, "runs");
  file_.name_track(kLayerTrack, "layers");
  for (const Track& track : kTracks) file_.name_track(track_of(track.process), track.name);
}

void Timeline::add(const RecordedRun& run) {
  add_run(run);
  add_layers(run);
  for (const Track& track : kTracks) add_process(run, track.process, track_of(track.process));
  add_tokens(run);
  add_traffic(run, "DRAM reads", kReaders);
  add_traffic(run, "DRAM writes", kWriters);
}

void Timeline::add_run(const RecordedRun& run) {
  std::string arguments = fmt::format("{{\"instructions\":{}", run.stream.size());
#define VTA_COUNTER(offset, name, description) \
  arguments += fmt::format(",\"" #name "\":{}", run.end.counters.name);
#include "hw/registers/registers.def"
  if (run.end.fault != isa::kNoFault)
    arguments += fmt::format(",\"fault\":\"{}\"", isa::to_string(run.end.fault));
  file_.complete(kRunTrack, "run", run.name, run.first_cycle, run.trace.cycles, arguments + "}");
}

// A layer is shown from the end of the layer before to its own end. A run without parts is a layer.
void Timeline::add_layers(const RecordedRun& run) {
  uint64_t begin = 0;
  for (size_t i = 0; i < std::max<size_t>(run.parts.size(), 1); ++i) {
    const bool is_last = i + 1 >= run.parts.size();
    const uint64_t end = is_last ? run.trace.cycles : run.part_ends[i].cycles;
    file_.complete(kLayerTrack, "layer", run.parts.empty() ? run.name : run.parts[i].name,
                   run.first_cycle + begin, end - begin, "");
    begin = end;
  }
}

void Timeline::add_process(const RecordedRun& run, Process process, uint32_t track) {
  add_start(run, process, track);
  for (const InstructionWork& work : instruction_work(run.trace, process, run.stream, config_)) {
    add_instruction(run, work, track);
    for (const RunTrace::WaitSpan& wait : work.waits) {
      const char* state = hw::kStageStateNames[CoreWaits::state_of(wait.wait)];
      file_.complete(track, "wait", fmt::format("{} {}", state, kChannels[wait.wait]),
                     run.first_cycle + wait.begin, wait.end - wait.begin, "");
    }
  }
}

void Timeline::add_instruction(const RecordedRun& run, const InstructionWork& work,
                               uint32_t track) {
  const uint32_t index = work.work.index;
  const std::string text = isa::disassemble(isa::decode(run.stream[index], config_));
  std::string arguments =
      fmt::format("{{\"layer\":{},\"index\":{}", json_string(layer_of(run, index)), index);
  if (!work.is_carrier) arguments += fmt::format(",\"text\":{}", json_string(text));
  if (work.moved_bytes != 0) arguments += fmt::format(",\"bytes\":{}", work.moved_bytes);
  if (!work.pops.empty()) arguments += fmt::format(",\"pops\":[{}]", names_of(work.pops));
  if (!work.pushes.empty()) arguments += fmt::format(",\"pushes\":[{}]", names_of(work.pushes));
  if (const std::string waits = waits_text(work); !waits.empty())
    arguments += fmt::format(",\"waits\":{{{}}}", waits);
  const std::string name = work.is_carrier ? "carrier" : text.substr(0, text.find(' '));
  file_.complete(track, work.is_carrier ? "carrier" : "instruction", name,
                 run.first_cycle + work.work.begin, work.work.end - work.work.begin,
                 arguments + "}");
}

// The cycles before a process first looks for an instruction. With this event, the events of a
// track and the gaps between them account for all cycles.
void Timeline::add_start(const RecordedRun& run, Process process, uint32_t track) {
  const RunTrace::ProcessTrace& trace = run.trace.processes[process];
  uint64_t first = run.trace.cycles;
  if (!trace.work.empty()) first = std::min(first, trace.work.front().begin);
  const auto idle = std::find_if(trace.waits.begin(), trace.waits.end(), is_idle);
  if (idle != trace.waits.end()) first = std::min(first, idle->begin);
  if (first > 0) file_.complete(track, "start", "start", run.first_cycle, first, "");
}

void Timeline::add_tokens(const RecordedRun& run) {
  for (int i = 0; i < kNumTokenQueues; ++i) {
    const RunTrace::TokenTrace& tokens = run.trace.tokens[i];
    for (size_t token = 0; token < tokens.pops.size(); ++token) {
      file_.flow("token", kTokens[i].name, track_of(kTokens[i].from),
                 run.first_cycle + tokens.pushes[token], track_of(kTokens[i].to),
                 run.first_cycle + tokens.pops[token]);
    }
  }
}

// A counter keeps its value until the next event.
void Timeline::add_traffic(const RecordedRun& run, std::string_view name,
                           std::span<const MemoryMaster> masters) {
  size_t intervals = 0;
  const auto beats_of = [&](MemoryMaster master) -> const std::vector<uint32_t>& {
    return run.trace.beats[static_cast<size_t>(master)].beats();
  };
  for (MemoryMaster master : masters) intervals = std::max(intervals, beats_of(master).size());
  std::string last;
  for (size_t interval = 0; interval <= intervals; ++interval) {
    std::string text;
    for (MemoryMaster master : masters) {
      const std::vector<uint32_t>& beats = beats_of(master);
      text += fmt::format("{}\"{}\":{}", text.empty() ? "{" : ",",
                          kMemoryMasterNames[static_cast<size_t>(master)],
                          interval < beats.size() ? beats[interval] * kBeatBytes : 0);
    }
    text += "}";
    const uint64_t begin = std::min(interval * BeatCounts::kIntervalCycles, run.trace.cycles);
    if (text != last) file_.counter(name, run.first_cycle + begin, text);
    last = text;
  }
}

}  // namespace vta::sim
