// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/sim/memory/dram_bench.h"

#include "base/errors/error.h"

namespace vta::sim {

MemoryConfig plain_memory() {
  MemoryConfig memory;
  memory.name = "plain";
  memory.read_latency_cycles = memory.write_latency_cycles = 16;
  memory.bytes_per_100_cycles = 1600;
  return memory;
}

DramBench::DramBench(const MemoryConfig& config, uint64_t words) : words_(words), model_(config) {
  for (uint64_t i = 0; i < words; ++i) words_[i] = word(i);
  restart();
}

void DramBench::restart() {
  model_.reset(reinterpret_cast<uint8_t*>(words_.data()), words_.size() * 8);
  queues_ = {};
  diaries_ = {};
}

void DramBench::read(MemoryMaster master, uint32_t address, uint32_t beats) {
  queues_[static_cast<size_t>(master)].reads.push_back({address, beats});
}

void DramBench::write(MemoryMaster master, uint32_t address, uint32_t beats, uint64_t first) {
  Queues& queues = queues_[static_cast<size_t>(master)];
  queues.writes.push_back({address, beats});
  for (uint32_t beat = 0; beat < beats; ++beat) queues.values.push_back(first + beat);
}

void DramBench::run(uint64_t cycles) {
  for (uint64_t i = 0; i < cycles; ++i) run_cycle();
}

void DramBench::run_until_quiet() {
  constexpr uint64_t kMaxCycles = 1 << 20;
  bool is_waiting = true;
  while (is_waiting) {
    run_cycle();
    VTA_ASSERT(cycle() < kMaxCycles, "the memory never falls quiet");
    is_waiting = !model_.is_quiet();
    for (const Queues& queues : queues_) {
      is_waiting |= !queues.reads.empty() || !queues.writes.empty();
    }
  }
}

void DramBench::run_cycle() {
  model_.begin_cycle();
  for (size_t i = 0; i < kNumMemoryMasters; ++i) write_down(static_cast<MemoryMaster>(i));
  // The last master first: the order of the calls must not matter.
  for (size_t i = kNumMemoryMasters; i-- > 0;) send(static_cast<MemoryMaster>(i));
}

void DramBench::write_down(MemoryMaster master) {
  Diary& diary = diaries_[static_cast<size_t>(master)];
  const DramModel::Beat& beat = model_.read_beat(master);
  if (beat.valid) diary.received.push_back({cycle(), beat.data, beat.last, beat.error});
  const DramModel::Response& response = model_.write_response(master);
  if (response.valid) diary.answers.push_back({cycle(), response.error});
}

void DramBench::send(MemoryMaster master) {
  Queues& queues = queues_[static_cast<size_t>(master)];
  Diary& diary = diaries_[static_cast<size_t>(master)];
  if (!queues.reads.empty() && model_.accepts_read(master)) {
    model_.read(master, queues.reads.front().address, queues.reads.front().beats);
    queues.reads.pop_front();
    diary.read_requests.push_back(cycle());
  }
  if (!queues.values.empty() && model_.accepts_beat(master)) {
    model_.write_beat(master, queues.values.front());
    queues.values.pop_front();
    diary.beats_sent.push_back(cycle());
  }
  if (!queues.writes.empty() && model_.accepts_write(master)) {
    model_.write(master, queues.writes.front().address, queues.writes.front().beats);
    queues.writes.pop_front();
    diary.write_requests.push_back(cycle());
  }
}

}  // namespace vta::sim
