// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/dram_model.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/errors/error.h"

namespace vta::sim {
namespace {

constexpr uint32_t kBoundaryBytes = 4096;
constexpr uint64_t kBeatCost = uint64_t{kBeatBytes} * 100;  // in units of the budget
// At most the bandwidth of one burst is kept.
constexpr uint64_t kMaxBudget = DramModel::kMaxBurstBeats * kBeatCost;

}  // namespace

DramModel::DramModel(const MemoryConfig& config)
    : config_(config), delays_(config), ports_(config.num_ports()) {}

void DramModel::reset(uint8_t* dram, uint64_t dram_bytes, WriteObserver* observer) {
  dram_ = dram;
  dram_bytes_ = dram_bytes;
  observer_ = observer;
  cycle_ = budget_ = reserved_beats_ = in_flight_ = 0;
  any_new_ = false;
  turn_ = 0;
  ports_.assign(config_.num_ports(), {});
  reads_of_ = {};
  writes_of_ = {};
  beats_ = {};
  accepts_beat_ = {};
  responses_ = {};
}

void DramModel::begin_cycle() {
  ++cycle_;
  budget_ += config_.bytes_per_100_cycles + reserved_beats_ * kBeatCost;
  budget_ = std::min(budget_, kMaxBudget);
  reserved_beats_ = 0;
  beats_ = {};
  accepts_beat_ = {};
  responses_ = {};
  if (in_flight_ == 0) return;
  if (any_new_) queue_new_requests();
  serve_channels();
}

uint64_t DramModel::next_move() const {
  if (in_flight_ == 0) return UINT64_MAX;
  if (any_new_ || reserved_beats_ > 0) return cycle_ + 1;
  uint64_t next = UINT64_MAX;
  for (const Port& port : ports_) {
    if (!port.reads.empty()) next = std::min(next, port.reads.front().next_cycle);
    if (port.writes.empty()) continue;
    if (port.num_complete_writes > 0) next = std::min(next, port.writes.front().next_cycle);
    if (port.num_complete_writes < port.writes.size())
      next = std::min(next, port.writes[port.num_complete_writes].next_cycle);
  }
  return std::max(next, cycle_ + 1);
}

void DramModel::skip_to(uint64_t cycle) {
  VTA_ASSERT(cycle >= cycle_ && cycle < next_move(), "cycles with activity cannot be skipped");
  if (cycle == cycle_) return;
  budget_ += reserved_beats_ * kBeatCost + (cycle - cycle_) * config_.bytes_per_100_cycles;
  budget_ = std::min(budget_, kMaxBudget);
  reserved_beats_ = 0;
  cycle_ = cycle;
  beats_ = {};
  accepts_beat_ = {};
  responses_ = {};
}

void DramModel::queue_new_requests() {
  any_new_ = false;
  for (size_t master = 0; master < kNumMemoryMasters; ++master) {
    Port& port = ports_[config_.port[master]];
    if (std::exchange(reads_of_[master].has_new, false)) {
      port.reads.push_back(reads_of_[master].newest);
    }
    if (std::exchange(writes_of_[master].has_new, false)) {
      port.writes.push_back(writes_of_[master].newest);
    }
  }
}

// The first channel without a beat in this cycle is the first in the next cycle.
void DramModel::serve_channels() {
  const auto num_channels = static_cast<uint32_t>(2 * ports_.size());
  uint32_t refused = num_channels;
  for (uint32_t i = 0; i < num_channels; ++i) {
    const uint32_t channel = turn_ + i < num_channels ? turn_ + i : turn_ + i - num_channels;
    Port& port = ports_[channel / 2];
    const bool is_served = channel % 2 == 0 ? serve_read(port) : serve_write(port);
    if (!is_served && refused == num_channels) refused = channel;
  }
  if (refused != num_channels) turn_ = refused;
}

bool DramModel::spend_beat() {
  if (budget_ < kBeatCost) return false;
  budget_ -= kBeatCost;
  return true;
}

bool DramModel::serve_read(Port& port) {
  if (port.reads.empty() || cycle_ < port.reads.front().next_cycle) return true;
  if (!spend_beat()) return false;
  Burst& burst = port.reads.front();
  Beat& beat = beats_[index(burst.id.master)];
  beat.valid = true;
  count_beat(burst.id.master);
  beat.error = !is_inside(uint64_t{burst.address} + burst.done * kBeatBytes);
  if (!beat.error) beat.data = burst.data[burst.done];
  burst.next_cycle = cycle_ + 1 + delays_.pause(burst.id, burst.done);
  ++burst.done;
  beat.last = burst.done == burst.beats;
  if (beat.last) {
    port.reads.pop_front();
    --in_flight_;
  }
  return true;
}

bool DramModel::serve_write(Port& port) {
  if (port.num_complete_writes > 0) respond(port);
  if (port.num_complete_writes == port.writes.size()) return true;
  const Burst& burst = port.writes[port.num_complete_writes];
  if (cycle_ < burst.next_cycle) return true;
  if (!spend_beat()) return false;
  ++reserved_beats_;
  accepts_beat_[index(burst.id.master)] = true;
  return true;
}

void DramModel::respond(Port& port) {
  const Burst& burst = port.writes.front();
  if (cycle_ < burst.next_cycle) return;
  Response& response = responses_[index(burst.id.master)];
  response.valid = true;
  for (uint32_t beat = 0; beat < burst.beats; ++beat) {
    const uint64_t address = uint64_t{burst.address} + beat * kBeatBytes;
    if (is_inside(address)) {
      std::memcpy(dram_ + address, &burst.data[beat], kBeatBytes);
    } else {
      response.error = true;
    }
  }
  port.writes.pop_front();
  --port.num_complete_writes;
  --in_flight_;
}

DramModel::Burst& DramModel::new_request(Requests& requests, MemoryMaster master,
                                         Direction direction, uint32_t address, uint32_t beats) {
  VTA_ASSERT(accepts_request(requests), "a request that is not accepted");
  VTA_ASSERT(beats >= 1 && beats <= kMaxBurstBeats, "a burst has 1 to 16 beats");
  VTA_ASSERT(address % kBeatBytes == 0, "a burst that is not aligned to beats");
  VTA_ASSERT(address % kBoundaryBytes + beats * kBeatBytes <= kBoundaryBytes,
             "a burst that crosses a 4 KiB boundary");
  Burst& burst = requests.newest;
  burst.id = {master, direction, requests.count++};
  burst.address = address;
  burst.beats = beats;
  burst.done = 0;
  requests.next_cycle = cycle_ + 1 + delays_.request_gap(burst.id);
  requests.has_new = any_new_ = true;
  ++in_flight_;
  return burst;
}

void DramModel::read(MemoryMaster master, uint32_t address, uint32_t beats) {
  Burst& burst = new_request(reads_of_[index(master)], master, Direction::kRead, address, beats);
  burst.next_cycle = cycle_ + config_.read_latency_cycles + delays_.latency(burst.id);
  if (address >= dram_bytes_) return;
  const uint64_t inside = std::min<uint64_t>(beats * kBeatBytes, dram_bytes_ - address);
  std::memcpy(burst.data.data(), dram_ + address, inside);
}

void DramModel::write(MemoryMaster master, uint32_t address, uint32_t beats) {
  Burst& burst = new_request(writes_of_[index(master)], master, Direction::kWrite, address, beats);
  burst.next_cycle = cycle_ + 1;
}

void DramModel::write_beat(MemoryMaster master, uint64_t data) {
  VTA_ASSERT(accepts_beat_[index(master)], "a beat that is not accepted");
  accepts_beat_[index(master)] = false;
  count_beat(master);
  --reserved_beats_;
  Port& port = port_of(master);
  Burst& burst = port.writes[port.num_complete_writes];
  if (observer_ != nullptr) {
    observer_->beat_written(cycle_, uint64_t{burst.address} + burst.done * kBeatBytes, data);
  }
  burst.data[burst.done] = data;
  burst.next_cycle = cycle_ + 1 + delays_.pause(burst.id, burst.done);
  if (++burst.done < burst.beats) return;
  ++port.num_complete_writes;
  burst.next_cycle = cycle_ + config_.write_latency_cycles + delays_.latency(burst.id);
}

}  // namespace vta::sim
