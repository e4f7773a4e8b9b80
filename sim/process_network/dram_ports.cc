// SPDX-License-Identifier: Apache-2.0
#include "sim/process_network/dram_ports.h"

#include <algorithm>
#include <cstring>

#include "base/errors/error.h"

namespace vta::process_network {

Cycle ReadPort::issue_at() const {
  if (!requests.has_front()) return kNever;
  Cycle at = std::max(requests.front_at(), last_issue_ + 1);
  // A burst needs space for the longest one in the FIFO, which pops free with a latency of one
  // cycle.
  const uint64_t wanted = issued_beats_ + DramModel::kMaxBurstBeats;
  if (wanted > space_beats_) {
    const uint64_t gone = wanted - space_beats_;
    if (popped_ < gone) {
      awaited_pops_ = gone;
      return kNever;
    }
    at = std::max(at, pop_cycles_[(gone - 1) & mask_] + 1);
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
  requests.push_planned(false);
  return request;
}

void ReadPort::Requests::push_planned(bool tell) {
  if (series.is_done() || std::exchange(is_pushing_, true)) return;
  while (!series.is_done() && knows_space()) {
    Stream::push(series.access(space_at(), 1), planned_[first_planned_++]);
    if (tell) port_.dram_->read_may_issue(port_);
  }
  if (first_planned_ == planned_.size()) planned_.clear(), first_planned_ = 0;
  is_pushing_ = false;
  series.report();
}

void ReadPort::take_planned() {
  Series& series = beats.series;
  if (series.is_done() || std::exchange(is_taking_, true)) return;
  while (!series.is_done() && beats.has_front()) {
    const uint64_t count = std::min(
        {series.next_accesses(), uint64_t{front_left_}, uint64_t{awaited_pops_ - popped_}});
    const Cycle at = series.access(beats.front_at(), count);
    for (uint64_t i = 0; i < count; ++i) pop_cycles_[(popped_ + i) & mask_] = at + i;
    last_pop_ = at + count - 1;
    popped_ += count;
    front_seen_ += count;
    front_left_ -= static_cast<uint32_t>(count);
    if (front_left_ == 0) next_run();
    for (uint64_t i = 0; memory_ != nullptr && i < count; ++i) next_word();
    look_at_awaited_pops();
  }
  is_taking_ = false;
  series.report();
}

void ReadPort::beats_arrive(Cycle at, uint32_t count, bool last) {
  constexpr Cycle kFifoDelay = 2;  // of a FIFO in block RAM
  const Cycle seen = at + kFifoDelay;
  if (popped_ == arrived_) {
    front_seen_ = seen;
    front_left_ = count;
  } else {
    runs_[end_run_++ & mask_] = {seen, count};
  }
  arrived_ += count;
  if (last) last_cycles_[ended_bursts_++ % bursts_] = at + count - 1;
  beats.arrive(seen);
}

void ReadPort::next_run() {
  if (first_run_ == end_run_) return;
  const Run& run = runs_[first_run_++ & mask_];
  front_seen_ = run.seen;
  front_left_ = run.count;
}

uint64_t ReadPort::front_data() const {
  if (source_ != nullptr) return source_->content(popped_);
  uint64_t data = 0;
  if (memory_ == nullptr) return data;
  const DramRequest& burst = issued_[first_issued_];
  if (uint64_t{burst.address} + sizeof data <= memory_bytes_)
    std::memcpy(&data, memory_ + burst.address, sizeof data);
  return data;
}

void ReadPort::next_word() {
  DramRequest& burst = issued_[first_issued_];
  burst.address += kBeatBytes;
  if (--burst.beats == 0 && ++first_issued_ == issued_.size()) issued_.clear(), first_issued_ = 0;
}

Cycle WritePort::issue_at() const {
  if (!requests.has_front()) return kNever;
  const Cycle at = std::max(requests.front_at(), last_issue_ + 1);
  if (num_issued_ < bursts_) return at;
  // The list of lengths has space, and the number of bursts without response is below the limit.
  if (num_responses_ + bursts_ <= num_issued_) return kNever;
  const uint64_t i = num_issued_ % bursts_;
  return std::max({at, sent_cycles_[i] + 1, response_cycles_[i] + 1});
}

DramRequest WritePort::issue(Cycle at) {
  const DramRequest request = requests.pop(at);
  in_flight_.push_back({at, request.beats});
  last_issue_ = at;
  ++num_issued_;
  return request;
}

bool WritePort::send_beat(Cycle at) {
  beats.pop(at);
  idle_from_ = std::max(idle_from_, at + 1);
  if (--in_flight_.front().beats_left > 0) return false;
  in_flight_.pop_front();
  sent_cycles_[num_sent_++ % bursts_] = at;
  return true;
}

void WritePort::respond(Cycle at) {
  VTA_ASSERT(pending_responses_ > 0, "a response without a burst");
  response_cycles_[num_responses_++ % bursts_] = at;
  idle_from_ = std::max(idle_from_, at + 1);
  if (--pending_responses_ == 0) idle.arrive(idle_from_);
}

}  // namespace vta::process_network
