// SPDX-License-Identifier: Apache-2.0
#include "sim/network/dram_ports.h"

#include <cstring>

#include "runtime/base/error.h"

namespace vta::network {

Cycle ReadPort::issue_at() const {
  if (!requests.has_front()) return kNever;
  Cycle at = std::max(requests.front_at(), last_issue_ + 1);
  // The room that the burst takes is given back by pops, and shows a cycle after them.
  const uint64_t wanted = issued_beats_ + requests.front().beats;
  if (wanted > room_beats_) {
    const uint64_t gone = wanted - room_beats_;
    if (popped_ < gone) return kNever;
    at = std::max(at, pop_cycles_[(gone - 1) % room_beats_] + 1);
  }
  if (issued_bursts_ >= bursts_) {
    if (ended_bursts_ + bursts_ <= issued_bursts_) return kNever;
    at = std::max(at, last_cycles_[issued_bursts_ % bursts_] + 1);
  }
  return at;
}

DramRequest ReadPort::issue(Cycle at) {
  const DramRequest request = requests.pop(at);
  last_issue_ = at;
  issued_beats_ += request.beats;
  ++issued_bursts_;
  if (memory_ != nullptr) issued_.push_back(request);
  return request;
}

uint64_t ReadPort::next_data() {
  if (recorded_ != nullptr) return arrived_ < recorded_->size() ? (*recorded_)[arrived_] : 0;
  if (memory_ == nullptr) return 0;
  DramRequest& burst = issued_[first_issued_];
  uint64_t data = 0;
  if (uint64_t{burst.address} + sizeof data <= memory_bytes_)
    std::memcpy(&data, memory_ + burst.address, sizeof data);
  burst.address += sizeof data;
  if (--burst.beats == 0 && ++first_issued_ == issued_.size()) issued_.clear(), first_issued_ = 0;
  return data;
}

void ReadPort::beat_comes(Cycle at, bool last) {
  constexpr Cycle kFifoDelay = 2;  // of a FIFO in block RAM
  const uint64_t data = next_data();
  beats_[arrived_++ % room_beats_] = {at + kFifoDelay, data};
  if (last) last_cycles_[ended_bursts_++ % bursts_] = at;
  beats.arrive(at + kFifoDelay);
}

uint64_t ReadPort::pop(Cycle at) {
  const uint64_t i = popped_++ % room_beats_;
  pop_cycles_[i] = last_pop_ = at;
  if (requests.has_front() && popped_ + room_beats_ == issued_beats_ + requests.front().beats)
    dram_->read_may_issue(*this);
  return beats_[i].data;
}

void WritePort::beat_goes(Cycle at) {
  beats.pop(at);
  idle_from_ = std::max(idle_from_, at + 1);
}

void WritePort::answered(Cycle at) {
  VTA_ASSERT(unanswered_ > 0, "an answer to no burst");
  idle_from_ = std::max(idle_from_, at + 1);
  if (--unanswered_ == 0) idle.arrive(idle_from_);
}

}  // namespace vta::network
