// SPDX-License-Identifier: Apache-2.0
//
// The pipeline of a nest in which iterations may have to wait in other stages than the first: the
// cycles in which each iteration enters and leaves each stage.
//
// A stage that has to wait holds itself and all younger iterations; so an iteration stands still in
// a cycle in which the one before it does. What an iteration does is decided stage by stage, older
// iterations first. One whose next stage depends on what is not known yet is blocked; younger ones
// go on with what they do before it came there.
#ifndef VTA_SIM_PROCESS_NETWORK_PIPELINE_H_
#define VTA_SIM_PROCESS_NETWORK_PIPELINE_H_

#include <algorithm>
#include <array>
#include <bit>

#include "sim/process_network/process.h"

namespace vta::process_network {

template <uint32_t stages>
struct Iteration {
  uint32_t stage = 0;  // that it is in; `stages`: done
  uint64_t number = 0;
  std::array<Cycle, stages> enter, leave;
  // In which a stage waited for a stream: from its entering on, up to here.
  std::array<Cycle, stages> stream_ready;
};

template <class It, uint32_t stages>
class Pipeline {
 public:
  // The next iteration to be issued; it can enter the first stage in cycle `at`.
  It& next(Cycle at) {
    It& it = slots_[issued_ % kSlots];
    it.stage = 0;
    it.number = issued_++;
    it.enter[0] = it.leave[0] = at;
    return it;
  }

  // Whether all before `it`, the youngest, are done.
  bool older_done(const It&) const { return done_ + 1 == issued_; }
  // From this cycle on none of them stands still: the one before `it` would, too, where an older
  // one does. Only if they are done.
  Cycle held_to(const It& it) const {
    Cycle to = 0;
    const It* before = older(it, 1);
    if (before == nullptr) return to;
    for (uint32_t stage = 1; stage < stages; ++stage) {
      if (before->leave[stage] > before->enter[stage]) to = before->leave[stage];
    }
    return to;
  }
  // Only if they are done: `it` leaves the stages in these cycles, and waits for streams in the
  // first one at most.
  void pass(It& it, const std::array<Cycle, stages>& leave) {
    for (uint32_t stage = 0; stage < stages; ++stage) {
      it.leave[stage] = leave[stage];
      if (stage > 0) it.enter[stage] = leave[stage - 1] + 1;
      it.stream_ready[stage] = 0;
    }
    it.stage = stages;
    done_ = issued_;
  }

  // Until `it`, the youngest, has left the first stage. advance(iteration, limit) moves an
  // iteration as far as possible and gives false if it is not done.
  template <class Advance>
  void issue(Process& process, const It& it, Advance&& advance) {
    for (;;) {
      advance_all(advance);
      if (it.stage > 0) return;
      wait(process);
    }
  }
  // Until all iterations are done. Gives the cycle in which the last one left the last stage, or 0.
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

  // The iteration `distance` before; null if there is none.
  const It* older(const It& it, uint32_t distance) const {
    return it.number < distance ? nullptr : &slots_[(it.number - distance) % kSlots];
  }

  // From cycle `at` on: the first in which no older iteration holds the stage.
  Cycle unheld(const It& it, uint32_t stage, Cycle at) const {
    const It* before = older(it, 1);
    return before == nullptr ? at : unheld_by(*before, stage, at);
  }
  // Whether an iteration in a later stage waits for a stream in cycle `at`.
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
  // The cycle in which `stage` has no older iteration that is under way; kNever if that is not
  // known.
  Cycle alone_from(const It& it) const {
    const It* before = older(it, 1);
    if (before == nullptr) return 0;
    return before->stage < stages ? kNever : before->leave[stages - 1] + 1;
  }
  // From cycle `at` on: the first in which no older iteration that `meets` accepts is in stage
  // `other`, behind `stage`, in which `it` is. Every iteration is a stage at least ahead of the
  // next.
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
  // No iteration that is under way asks about cycles before it.
  Cycle oldest() const { return slots_[done_ % kSlots].enter[0]; }

  // The cycle after a gap of `cycles` in which nothing was held, behind the iteration before `it`;
  // kNever if that is not known up to `limit`.
  Cycle after_gap(const It& it, uint32_t cycles, Cycle limit) const {
    const It* before = older(it, 1);
    if (before == nullptr) return it.enter[0];
    return behind(*before, cycles, limit);
  }
  // Likewise behind the last one, when all are done; `otherwise` if there was none.
  Cycle after_last_gap(uint32_t cycles, Cycle otherwise) const {
    return issued_ == 0 ? otherwise : behind(slots_[(issued_ - 1) % kSlots], cycles, kNever);
  }

  // It cannot go on in this stage before something becomes known: of `object`'s stream, if any, or
  // at a gate. Gives false.
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
    ++it.stage;
    if (it.stage < stages) it.enter[it.stage] = it.leave[it.stage] = at + 1;
  }

 private:
  static Cycle unheld_by(const It& before, uint32_t stage, Cycle at) {
    for (uint32_t deeper = stage + 1; deeper < stages && deeper < before.stage; ++deeper) {
      if (at >= before.enter[deeper] && at < before.leave[deeper]) at = before.leave[deeper];
    }
    return at;
  }
  static Cycle behind(const It& before, uint32_t cycles, Cycle limit) {
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
