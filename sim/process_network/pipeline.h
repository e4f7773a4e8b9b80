// SPDX-License-Identifier: Apache-2.0
//
// Pipeline: the pipeline of a loop nest whose iterations may stall in any pipeline stage. It
// computes the cycles in which each iteration enters and leaves each pipeline stage.
//
// A stalled stage stalls all earlier stages, so an iteration stalls in every cycle in which the
// previous one stalls. Iterations advance stage by stage, older ones first. An iteration is blocked
// if its next stage depends on unknown events; younger iterations continue up to the cycle in which
// it was blocked.
#ifndef VTA_SIM_PROCESS_NETWORK_PIPELINE_H_
#define VTA_SIM_PROCESS_NETWORK_PIPELINE_H_

#include <algorithm>
#include <array>
#include <bit>

#include "sim/process_network/process.h"

namespace vta::process_network {

template <uint32_t stages>
struct Iteration {
  uint32_t stage = 0;    // current pipeline stage; `stages`: done
  uint32_t stalled = 0;  // a bit for each stage that it has left later than in its first cycle
  uint64_t number = 0;
  std::array<Cycle, stages> enter, leave;
  // A stage waited for a stream from `enter` up to this cycle.
  std::array<Cycle, stages> stream_ready;
};

template <class It, uint32_t stages>
class Pipeline {
 public:
  // Issues the next iteration; it can enter the first stage in cycle `at`.
  It& next(Cycle at) {
    It& it = slots_[issued_ % kSlots];
    it.stage = it.stalled = 0;
    it.number = issued_++;
    it.enter[0] = it.leave[0] = at;
    return it;
  }

  // True if all iterations before `it`, the youngest, are done.
  bool older_done(const It&) const { return done_ + 1 == issued_; }
  // The first cycle without stalls by older iterations: the previous iteration stalls whenever an
  // older one does. Requires older_done().
  Cycle held_to(const It& it) const {
    const It* before = older(it, 1);
    if (before == nullptr || before->stalled < 2) return 0;  // the first stage does not count
    return before->leave[std::bit_width(before->stalled) - 1];
  }
  // `it` leaves the stages in these cycles, and waits for streams in the first stage only. Requires
  // older_done().
  void pass(It& it, const std::array<Cycle, stages>& leave) {
    it.stalled = 0;
    for (uint32_t stage = 0; stage < stages; ++stage) {
      it.leave[stage] = leave[stage];
      if (stage > 0) it.enter[stage] = leave[stage - 1] + 1;
      it.stream_ready[stage] = 0;
      it.stalled |= uint32_t{it.leave[stage] > it.enter[stage]} << stage;
    }
    it.stage = stages;
    done_ = issued_;
  }

  // Advances until `it`, the youngest, has left the first stage. advance(iteration, limit) moves an
  // iteration as far as possible and returns false if it is not done.
  template <class Advance>
  void issue(Process& process, const It& it, Advance&& advance) {
    for (;;) {
      advance_all(advance);
      if (it.stage > 0) return;
      wait(process);
    }
  }
  // Advances until all iterations are done. Returns the cycle in which the last one left the last
  // stage, or 0.
  template <class Advance>
  Cycle drain(Process& process, Advance&& advance) {
    for (;;) {
      advance_all(advance);
      if (done_ == issued_) break;
      wait(process);
    }
    return issued_ == 0 ? 0 : slots_[(issued_ - 1) % kSlots].leave[stages - 1];
  }

  // --- For advance() ---

  // The iteration `distance` before `it`; null if there is none.
  const It* older(const It& it, uint32_t distance) const {
    return it.number < distance ? nullptr : &slots_[(it.number - distance) % kSlots];
  }

  // The first cycle from `at` on in which no older iteration stalls the stage.
  Cycle unheld(const It& it, uint32_t stage, Cycle at) const {
    const It* before = older(it, 1);
    return before == nullptr ? at : unheld_by(*before, stage, at);
  }
  // True if an iteration in a later stage waits for a stream in cycle `at`.
  bool stream_waits(const It& it, uint32_t stage, Cycle at) const {
    for (uint32_t distance = 1; distance < stages; ++distance) {
      const It* before = older(it, distance);
      if (before == nullptr) return false;
      for (uint32_t deeper = stage + 1; deeper < stages && deeper < before->stage; ++deeper) {
        if (at >= before->enter[deeper] && at < before->stream_ready[deeper]) return true;
      }
    }
    return false;
  }
  // The first cycle in which no older iteration is in flight; kNever if unknown.
  Cycle alone_from(const It& it) const {
    const It* before = older(it, 1);
    if (before == nullptr) return 0;
    return before->stage < stages ? kNever : before->leave[stages - 1] + 1;
  }
  // The first cycle from `at` on in which no older iteration that `meets` accepts is in stage
  // `other`, which is after stage `stage` of `it`. Every iteration is at least one stage ahead of
  // the next.
  template <uint32_t stage, uint32_t other, class Meets>
  Cycle past(const It& it, Cycle at, Meets&& meets) const {
    for (uint32_t distance = 1; distance <= other - stage; ++distance) {
      const It* before = older(it, distance);
      if (before == nullptr) break;
      if (before->stage < other || at < before->enter[other] || at > before->leave[other]) continue;
      if (meets(*before)) at = before->leave[other] + 1;
    }
    return at;
  }
  // The oldest cycle that an iteration in flight can query.
  Cycle oldest() const { return slots_[done_ % kSlots].enter[0]; }

  // The cycle after `cycles` unstalled cycles following the first stage of the iteration before
  // `it`; kNever if unknown up to `limit`.
  Cycle after_gap(const It& it, uint32_t cycles, Cycle limit) const {
    const It* before = older(it, 1);
    if (before == nullptr) return it.enter[0];
    return after(*before, cycles, limit);
  }
  // Likewise after the last iteration, when all are done; `otherwise` if there was none.
  Cycle after_last_gap(uint32_t cycles, Cycle otherwise) const {
    return issued_ == 0 ? otherwise : after(slots_[(issued_ - 1) % kSlots], cycles, kNever);
  }

  // Blocks `it` in its stage until an unknown event: at the stream of `object`, if any, or at a
  // gate. Returns false.
  bool block(It& it, Cycle at, uint32_t object = Process::kNoObject, Cycle gate = kNever) {
    it.leave[it.stage] = at;
    if (now_ > it.enter[it.stage]) now_ = it.enter[it.stage];
    gate_ = std::min(gate_, gate);
    if (object == Process::kNoObject) return false;
    const Cycle alone = alone_from(it);
    if (alone == kNever) return false;
    object_ = object;
    since_ = std::max(alone, it.enter[it.stage]);
    return false;
  }
  void leave(It& it, Cycle at, Cycle stream_ready) {
    it.leave[it.stage] = at;
    it.stream_ready[it.stage] = stream_ready;
    it.stalled |= uint32_t{at > it.enter[it.stage]} << it.stage;
    ++it.stage;
    if (it.stage < stages) it.enter[it.stage] = it.leave[it.stage] = at + 1;
  }

 private:
  static Cycle unheld_by(const It& before, uint32_t stage, Cycle at) {
    // Stages that it has left, after `stage`, in their order.
    for (uint32_t left = before.stalled >> stage >> 1 << stage << 1; left != 0; left &= left - 1) {
      const auto deeper = static_cast<uint32_t>(std::countr_zero(left));
      if (at >= before.enter[deeper] && at < before.leave[deeper]) at = before.leave[deeper];
    }
    return at;
  }
  static Cycle after(const It& before, uint32_t cycles, Cycle limit) {
    Cycle at = before.leave[0] + 1;
    while (cycles > 0) {
      const Cycle free = unheld_by(before, 0, at);
      if (free >= limit) return kNever;
      if (free == at) {
        --cycles, ++at;
      } else {
        at = free;
      }
    }
    return at;
  }

  static_assert(stages < 32, "a bit for each stage");
  static constexpr uint64_t kSlots = std::bit_ceil(2 * stages + 2);

  template <class Advance>
  void advance_all(Advance&& advance) {
    now_ = gate_ = since_ = kNever;
    object_ = Process::kNoObject;
    Cycle limit = kNever;
    for (uint64_t i = done_; i < issued_; ++i) {
      It& it = slots_[i % kSlots];
      if (!advance(it, limit)) limit = std::min(limit, it.enter[it.stage]);
    }
    while (done_ < issued_ && slots_[done_ % kSlots].stage == stages) ++done_;
  }
  void wait(Process& process) {
    process.now = now_;
    process.wait_for_any(object_, since_, gate_);
  }

  std::array<It, kSlots> slots_;
  uint64_t issued_ = 0, done_ = 0;
  Cycle now_ = kNever, gate_ = kNever, since_ = kNever;
  uint32_t object_ = Process::kNoObject;
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_PIPELINE_H_
