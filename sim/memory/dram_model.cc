// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/dram_model.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/error.h"

namespace vta::sim {
namespace {

constexpr uint32_t kBeatBytes = 8;

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

DramModel::DramModel(const MemoryConfig& config) : config_(config), ports_(config.num_ports()) {}

void DramModel::reset(uint8_t* dram, uint64_t dram_bytes) {
  dram_ = dram;
  dram_bytes_ = dram_bytes;
  cycle_ = budget_ = under_way_ = 0;
  ports_.assign(config_.num_ports(), {});
  beats_ = {};
  takes_ = {};
  responses_ = {};
}

uint64_t DramModel::draw(uint32_t port, uint64_t burst, uint32_t what) const {
  return mix(mix(mix(config_.seed + (uint64_t{port} << 32)) + burst) + what);
}

uint64_t DramModel::extra_latency(uint32_t port, uint64_t burst) const {
  if (config_.max_extra_latency_cycles == 0) return 0;
  return draw(port, burst, 0) % (config_.max_extra_latency_cycles + 1);
}

uint64_t DramModel::pause(uint32_t port, const Burst& burst) const {
  if (config_.pause_percent == 0) return 0;
  const uint64_t value = draw(port, burst.number, 1 + burst.done);
  return value % 100 < config_.pause_percent ? 1 + (value >> 32) % 3 : 0;
}

// Unused bandwidth is kept for the length of a burst.
bool DramModel::spend_beat() {
  if (budget_ < kBeatBytes * 100) return false;
  budget_ -= kBeatBytes * 100;
  return true;
}

void DramModel::begin_cycle() {
  ++cycle_;
  budget_ = std::min<uint64_t>(budget_ + config_.bytes_per_100_cycles, 16 * kBeatBytes * 100);
  beats_ = {};
  takes_ = {};
  responses_ = {};
  if (under_way_ == 0) return;
  for (uint32_t port = 0; port < ports_.size(); ++port) {
    if (!ports_[port].reads.empty()) serve_read(port);
    if (!ports_[port].writes.empty() || !ports_[port].answers.empty()) serve_write(port);
  }
}

void DramModel::serve_read(uint32_t port) {
  std::deque<Burst>& reads = ports_[port].reads;
  Burst& burst = reads.front();
  if (cycle_ < burst.next_cycle || !spend_beat()) return;
  Beat& beat = beats_[index(burst.master)];
  beat.valid = true;
  const uint64_t address = uint64_t{burst.address} + uint64_t{burst.done} * kBeatBytes;
  beat.error = !is_inside(address);
  if (!beat.error) std::memcpy(&beat.data, dram_ + address, kBeatBytes);
  ++burst.done;
  beat.last = burst.done == burst.beats;
  burst.next_cycle = cycle_ + 1 + pause(port, burst);
  if (!beat.last) return;
  reads.pop_front();
  --under_way_;
  // The next burst's first beat may follow at once.
}

void DramModel::serve_write(uint32_t port) {
  Port& state = ports_[port];
  if (!state.writes.empty()) {
    const Burst& burst = state.writes.front();
    if (cycle_ >= burst.next_cycle && budget_ >= kBeatBytes * 100)
      takes_[index(burst.master)] = true;
  }
  if (state.answers.empty() || state.answers.front().first > cycle_) return;
  const Burst& burst = state.answers.front().second;
  responses_[index(burst.master)] = {true, burst.error};
  state.answers.pop_front();
  --under_way_;
}

void DramModel::read(MemoryMaster master, uint32_t address, uint32_t beats) {
  VTA_ASSERT(beats > 0, "a burst without beats");
  const uint32_t port = config_.port[index(master)];
  Port& state = ports_[port];
  const uint64_t number = state.read_bursts++;
  state.reads.push_back({master, address, beats, 0, number,
                         cycle_ + config_.read_latency_cycles + extra_latency(port, number),
                         false});
  ++under_way_;
}

void DramModel::write(MemoryMaster master, uint32_t address, uint32_t beats) {
  VTA_ASSERT(beats > 0, "a burst without beats");
  Port& state = ports_[config_.port[index(master)]];
  state.writes.push_back({master, address, beats, 0, state.write_bursts++, cycle_ + 1, false});
  ++under_way_;
}

void DramModel::write_beat(MemoryMaster master, uint64_t data) {
  VTA_ASSERT(takes_[index(master)], "a beat that is not taken");
  const uint32_t port = config_.port[index(master)];
  Port& state = ports_[port];
  Burst& burst = state.writes.front();
  spend_beat();
  const uint64_t address = uint64_t{burst.address} + uint64_t{burst.done} * kBeatBytes;
  if (is_inside(address)) {
    std::memcpy(dram_ + address, &data, kBeatBytes);
  } else {
    burst.error = true;
  }
  ++burst.done;
  burst.next_cycle = cycle_ + 1 + pause(port, burst);
  if (burst.done < burst.beats) return;
  const uint64_t answered =
      cycle_ + config_.write_latency_cycles + extra_latency(port, burst.number);
  const uint64_t after = state.answers.empty() ? 0 : state.answers.back().first + 1;
  state.answers.emplace_back(std::max(answered, after), burst);
  state.writes.pop_front();
}

}  // namespace vta::sim
