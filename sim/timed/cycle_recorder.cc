// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/cycle_recorder.h"

#include <bit>

namespace vta::sim {

void CycleRecorder::cycle(const CoreWaits& waits, const ProcessStatuses& statuses,
                          TokenMoves tokens) {
  for (int i = 0; i < kNumProcesses; ++i) {
    const auto process = static_cast<Process>(i);
    if (statuses[i].busy != is_busy_[i]) change_work(process, statuses[i]);
    if (!(waits == waits_) || now_ == 0) change_wait(process, waits.first_wait(process));
  }
  waits_ = waits;
  if ((tokens.pushes | tokens.pops) != 0) move(tokens);
  ++now_;
}

// A status is visible one cycle after it is written.
void CycleRecorder::change_work(Process process, const core::StageStatus& status) {
  std::vector<RunTrace::Work>& work = trace_.processes[process].work;
  is_busy_[process] = status.busy;
  if (status.busy) {
    work.push_back({now_ - 1, now_, status.index});
  } else {
    work.back().end = now_;
  }
}

void CycleRecorder::change_wait(Process process, Wait wait) {
  std::vector<RunTrace::WaitSpan>& waits = trace_.processes[process].waits;
  if (wait == open_[process]) return;
  if (open_[process] != kNumWaits) waits.back().end = now_;
  if (wait != kNumWaits) waits.push_back({now_, now_, wait});
  open_[process] = wait;
}

void CycleRecorder::move(TokenMoves tokens) {
  for (; tokens.pushes != 0; tokens.pushes &= tokens.pushes - 1)
    trace_.tokens[std::countr_zero(tokens.pushes)].pushes.push_back(now_);
  for (; tokens.pops != 0; tokens.pops &= tokens.pops - 1)
    trace_.tokens[std::countr_zero(tokens.pops)].pops.push_back(now_);
}

void CycleRecorder::end(uint64_t cycles) {
  trace_.cycles = cycles;
  for (int i = 0; i < kNumProcesses; ++i) {
    RunTrace::ProcessTrace& process = trace_.processes[i];
    if (is_busy_[i]) process.work.back().end = cycles;
    if (open_[i] != kNumWaits) process.waits.back().end = cycles;
    while (!process.waits.empty() && process.waits.back().begin >= cycles) process.waits.pop_back();
    if (!process.waits.empty())
      process.waits.back().end = std::min(process.waits.back().end, cycles);
  }
}

}  // namespace vta::sim
