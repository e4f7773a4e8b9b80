// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/instruction_work.h"

#include <algorithm>
#include <optional>

namespace vta::sim {
namespace {

struct TokenEnds {
  Process from, to;
};
constexpr TokenEnds kTokenEnds[] = {
#define VTA_TOKENS(queue, from, to) {kProcess_##from, kProcess_##to},
#include "hw/core/processes.def"
};

// The stage whose instructions `process` moves the data of; none for the other processes.
std::optional<isa::Stage> stage_that_works(Process process) {
  switch (process) {
    case kProcess_load_data:
      return isa::Stage::kLoad;
    case kProcess_gemm:
      return isa::Stage::kGemm;
    case kProcess_alu:
      return isa::Stage::kAlu;
    case kProcess_store_write:
      return isa::Stage::kStore;
    default:
      return std::nullopt;
  }
}

uint64_t moved_bytes(const isa::Instruction& instruction, const CoreConfig& config) {
  if (instruction.opcode != isa::kLoad && instruction.opcode != isa::kStore) return 0;
  const uint64_t elements = uint64_t{instruction.x_size} * instruction.y_size;
  switch (instruction.memory) {
    case isa::kUop:
      return elements * config.uop_elem_bytes();
    case isa::kWgt:
      return elements * config.wgt_elem_bytes();
    case isa::kInp:
      return elements * config.inp_elem_bytes();
    case isa::kAcc:
      return elements * config.acc_elem_bytes();
    default:  // OUT, and ACC as int8
      return elements * config.out_elem_bytes();
  }
}

class WorkOfProcess {
 public:
  WorkOfProcess(const RunTrace& trace, Process process)
      : trace_(trace), process_(process), waits_(trace.processes[process].waits) {}

  // Call it with the works of the process in order.
  InstructionWork next(const RunTrace::Work& work) {
    InstructionWork result;
    result.work = work;
    for (int i = 0; i < kNumTokenQueues; ++i) {
      const auto queue = static_cast<TokenQueue>(i);
      if (kTokenEnds[i].to == process_ && moves(trace_.tokens[i].pops, pops_[i], work))
        result.pops.push_back(queue);
      if (kTokenEnds[i].from == process_ && moves(trace_.tokens[i].pushes, pushes_[i], work))
        result.pushes.push_back(queue);
    }
    add_waits(result);
    return result;
  }

 private:
  // An instruction moves at most one token of a queue.
  static bool moves(const std::vector<uint64_t>& cycles, size_t& next, const RunTrace::Work& work) {
    if (next == cycles.size() || cycles[next] >= work.end) return false;
    ++next;
    return true;
  }

  void add_waits(InstructionWork& result) {
    while (next_wait_ < waits_.size() && waits_[next_wait_].begin < result.work.begin) ++next_wait_;
    const size_t first = next_wait_;
    uint64_t working = result.work.end - result.work.begin;
    for (; next_wait_ < waits_.size() && waits_[next_wait_].begin < result.work.end; ++next_wait_) {
      const RunTrace::WaitSpan& wait = waits_[next_wait_];
      result.state_cycles[CoreWaits::state_of(wait.wait)] += wait.end - wait.begin;
      working -= wait.end - wait.begin;
    }
    result.state_cycles[hw::kStageState_busy] = working;
    result.waits = {waits_.data() + first, next_wait_ - first};
  }

  const RunTrace& trace_;
  const Process process_;
  const std::vector<RunTrace::WaitSpan>& waits_;
  std::array<size_t, kNumTokenQueues> pops_{}, pushes_{};
  size_t next_wait_ = 0;
};

// All works with the index of one instruction are carriers, except one. Fetch sends carriers before
// the instruction, and after a plain instruction possibly one that passes the baton to the other
// half, with a token that a plain instruction itself never pushes (hw/core/fetch.h).
void find_carriers(std::span<InstructionWork> works, bool is_split) {
  InstructionWork* own = &works.back();
  for (InstructionWork& work : works) {
    work.is_carrier = true;
    const bool hands_over =
        std::any_of(work.pushes.begin(), work.pushes.end(), [](TokenQueue queue) {
          return queue == kTokens_gemm_to_alu || queue == kTokens_alu_to_gemm;
        });
    if (!is_split && !hands_over) own = &work;
  }
  own->is_carrier = false;
}

}  // namespace

std::vector<InstructionWork> instruction_work(const RunTrace& trace, Process process,
                                              std::span<const isa::InstructionBits> stream,
                                              const CoreConfig& config) {
  std::vector<InstructionWork> works;
  WorkOfProcess of_process(trace, process);
  for (const RunTrace::Work& work : trace.processes[process].work)
    works.push_back(of_process.next(work));
  const std::optional<isa::Stage> stage = stage_that_works(process);
  for (size_t first = 0, end = 0; stage.has_value() && first < works.size(); first = end) {
    const uint32_t index = works[first].work.index;
    while (end < works.size() && works[end].work.index == index) ++end;
    const isa::Instruction instruction = isa::decode(stream[index], config);
    const std::span<InstructionWork> group(works.data() + first, end - first);
    if (isa::stage_of(instruction) != *stage) {
      for (InstructionWork& work : group) work.is_carrier = true;
      continue;
    }
    find_carriers(group, instruction.split);
    for (InstructionWork& work : group)
      if (!work.is_carrier) work.moved_bytes = moved_bytes(instruction, config);
  }
  return works;
}

}  // namespace vta::sim
