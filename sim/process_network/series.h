// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_PROCESS_NETWORK_SERIES_H_
#define VTA_SIM_PROCESS_NETWORK_SERIES_H_

#include <algorithm>
#include <vector>

#include "sim/process_network/process.h"

namespace vta::process_network {

// The iterations of a nest that does nothing but access one end of a stream: each iteration takes
// the cycle after the previous one, and waits for the end to be ready if it accesses it. The
// process plans them all without waiting; the owner of the end carries them out as their cycles
// become known, and the process waits for the last one only.
class Series {
 public:
  // `issue`: the cycle in which the first iteration can start, not 0. `stage`: its stage that
  // accesses the end, 0 or 1. `tail`: the number of stages after it.
  void begin(Process& process, uint32_t object, Cycle issue, uint32_t stage, uint32_t tail) {
    process_ = &process, object_ = object;
    stage_ = stage, tail_ = tail;
    entered_ = left_ = issue + stage - 1;
    alone_from_ = 0;
  }
  // `count` more iterations with an access. When is_long(), the process settles first.
  void plan(uint64_t count) {
    ++plans_;
    if (is_done() || parts_.back().others > 0) parts_.push_back({0, 0});
    parts_.back().accesses += count;
  }
  // `count` more iterations without one.
  void skip(uint64_t count) {
    if (is_done()) return pass(enter(), enter() + count - 1, count);
    parts_.back().others += count;
  }
  // A cycle without an iteration, after all planned ones are done.
  void idle() { entered_ = stage_ == 0 ? enter() : entered_ + 1; }
  bool is_long() const { return plans_ >= kMaxPlans; }
  // Waits until all planned iterations are done.
  void settle() {
    plans_ = 0;
    while (!is_done()) {
      is_awaited_ = true;
      process_->now = enter();
      process_->wait(object_, waits_since());
    }
  }
  // The first cycle after the nest.
  Cycle end() const { return std::max(stage_ == 0 ? enter() + 1 : entered_ + 1, alone_from_); }

  // --- For the owner of the end ---

  bool is_done() const { return first_ == parts_.size(); }
  // Accesses in consecutive iterations from the next one on.
  uint64_t next_accesses() const { return parts_[first_].accesses; }
  // The next `count` of them in consecutive cycles; `ready`: the cycle from which the end is ready
  // for that. Returns the first of the cycles.
  Cycle access(Cycle ready, uint64_t count) {
    const Cycle entered = enter(), at = std::max(entered, ready);
    process_->waited(object_, waits_since(), ready);
    pass(entered, at + count - 1, count);
    Part& part = parts_[first_];
    part.accesses -= count;
    if (part.accesses == 0) end_part(part.others);
    return at;
  }
  // Wakes the process, or reports how far it is, after accesses.
  void report() {
    if (!is_awaited_) return;
    if (!is_done()) return process_->still_waits(enter(), waits_since());
    is_awaited_ = false;
    process_->network().wake(*process_, left_);
  }

 private:
  struct Part {
    uint64_t accesses;
    uint64_t others;  // iterations without an access, after them
  };
  // The cycle in which the next iteration enters the stage: a stall of the stage stalls all earlier
  // ones.
  Cycle enter() const { return std::max(entered_, left_) + 1; }
  Cycle waits_since() const { return std::max(enter(), alone_from_); }
  // `count` iterations leave the stage, the last one in cycle `left`.
  void pass(Cycle entered, Cycle left, uint64_t count) {
    if (count == 0) return;
    entered_ = count > 1 ? left : entered;
    left_ = left;
    alone_from_ = left + 1 + tail_;
  }
  void end_part(uint64_t others) {
    if (++first_ == parts_.size()) parts_.clear(), first_ = 0;
    pass(enter(), enter() + others - 1, others);
  }

  static constexpr uint32_t kMaxPlans = 4096;  // of a nest that may be endless

  Process* process_ = nullptr;
  uint32_t plans_ = 0;  // since the last settle()
  uint32_t object_ = Process::kNoObject, stage_ = 0, tail_ = 0;
  Cycle entered_ = 0, left_ = 0;  // of the last iteration in the stage
  Cycle alone_from_ = 0;          // no older iteration is in flight from then on
  bool is_awaited_ = false;
  std::vector<Part> parts_;
  size_t first_ = 0;  // parts before it are done
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_SERIES_H_
