// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/recording.h"

#include <algorithm>
#include <string_view>

#include "sim/timed/instruction_work.h"

namespace vta::sim {
namespace {

struct GemmChannel {
  Wait wait;
  std::string_view name;
};
constexpr GemmChannel kGemmChannels[] = {
#define VTA_END(process) {kEnd_##process, ""},
#define VTA_WAIT(process, channel, state, for_space) {kWait_##process##_##channel, #channel},
#include "hw/core/processes.def"
};

struct Cause {
  std::string_view channel;
  const char* text;
};
constexpr Cause kCauses[] = {
    {"load_to_gemm", "operands are not loaded yet"},
    {"alu_to_gemm", "the ALU has not freed accumulators"},
    {"gemm_to_load", "the queue of free input slots is full"},
    {"gemm_to_alu", "the queue of finished tiles is full"},
    {"uop_port", "micro-ops come from DRAM"},
    {"uop_plan", "micro-op requests are queued"},
    {"gemm_queue", "no instruction"},
};

const char* cause_of(std::string_view channel) {
  const auto found = std::ranges::find(kCauses, channel, &Cause::channel);
  return found == std::end(kCauses) ? "other" : found->text;
}

// The parts of a run, without stalls. A run without parts is one.
std::vector<RecordedPart> parts_of(const RecordedRun& run) {
  std::vector<RecordedPart> parts;
  uint32_t first = 0;
  uint64_t begin = 0;
  for (size_t i = 0; i < std::max<size_t>(run.parts.size(), 1); ++i) {
    const bool is_last = i + 1 >= run.parts.size();
    RecordedPart part;
    part.name = run.parts.empty() ? run.name : run.parts[i].name;
    part.first_instruction = first;
    part.end_instruction = is_last ? static_cast<uint32_t>(run.stream.size()) : run.parts[i].end;
    part.begin = begin;
    part.end = is_last ? run.trace.cycles : run.part_ends[i].cycles;
    first = part.end_instruction;
    begin = part.end;
    parts.push_back(std::move(part));
  }
  return parts;
}

// `waits` of gemm, in order, belong to the part in which they are; a wait may span parts.
void add_stalls(const std::vector<RunTrace::WaitSpan>& waits, std::vector<RecordedPart>& parts) {
  for (RecordedPart& part : parts) {
    part.stalls = gemm_stalls();
    for (const RunTrace::WaitSpan& wait : waits) {
      const uint64_t begin = std::max(wait.begin, part.begin), end = std::min(wait.end, part.end);
      if (begin >= end || wait.wait == kEnd_gemm) continue;
      part.stalls.at(wait.wait - kWait_gemm_gemm_queue).cycles += end - begin;
    }
  }
}

std::vector<InstructionSpan> spans_of(const RecordedRun& run, Process process,
                                      const CoreConfig& core) {
  std::vector<InstructionSpan> spans;
  for (const InstructionWork& work : instruction_work(run.trace, process, run.stream, core)) {
    if (work.is_carrier) continue;
    spans.push_back({work.work.begin, work.work.end, work.state_cycles[hw::kStageState_wait_token],
                     work.state_cycles[hw::kStageState_wait_memory], work.work.index});
  }
  return spans;
}

}  // namespace

std::vector<GemmStall> gemm_stalls() {
  std::vector<GemmStall> stalls;
  for (const GemmChannel& channel : kGemmChannels) {
    if (channel.wait < kWait_gemm_gemm_queue || channel.wait > kWait_gemm_uop_plan) continue;
    stalls.push_back({channel.name.data(), cause_of(channel.name)});
  }
  return stalls;
}

void Recording::add(const RecordedRun& run) {
  RecordedDeviceRun record;
  record.name = run.name;
  record.first_cycle = run.first_cycle;
  record.cycles = run.trace.cycles;
  record.parts = parts_of(run);
  add_stalls(run.trace.processes[kProcess_gemm].waits, record.parts);
  for (const isa::InstructionBits& bits : run.stream)
    record.instructions.push_back(isa::decode(bits, core_));
  for (const StageProcesses& stage : kStageProcesses)
    record.spans[stage.stage] = spans_of(run, stage.mover, core_);
  for (size_t master = 0; master < kNumMemoryMasters; ++master)
    record.beats[master] = run.trace.beats[master].beats();
  runs_.push_back(std::move(record));
}

}  // namespace vta::sim
