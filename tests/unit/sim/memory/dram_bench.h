// SPDX-License-Identifier: Apache-2.0
//
// Masters that send scripted requests to a DramModel as early as it accepts them, and log the
// results.
#ifndef VTA_TESTS_UNIT_SIM_MEMORY_DRAM_BENCH_H_
#define VTA_TESTS_UNIT_SIM_MEMORY_DRAM_BENCH_H_

#include <array>
#include <deque>
#include <vector>

#include "sim/memory/dram_model.h"

namespace vta::sim {

// The masters of `config` on one port, without random delays, with latencies of 16.
MemoryConfig plain_memory();

class DramBench {
 public:
  explicit DramBench(const MemoryConfig& config, uint64_t words = 1 << 13);

  // Requests are sent in order of the calls, reads and writes separately, one of each per cycle.
  void read(MemoryMaster master, uint32_t address, uint32_t beats);
  // Beats of the values first, first + 1, ...
  void write(MemoryMaster master, uint32_t address, uint32_t beats, uint64_t first);

  // Resets the model and the logs; keeps the contents.
  void restart();

  void run(uint64_t cycles);
  void run_until_quiet();

  struct Received {
    uint64_t cycle, data;
    bool last, error;

    bool operator==(const Received&) const = default;
  };
  struct Answer {
    uint64_t cycle;
    bool error;

    bool operator==(const Answer&) const = default;
  };
  struct Diary {
    std::vector<uint64_t> read_requests, write_requests, beats_sent;  // cycles
    std::vector<Received> received;
    std::vector<Answer> answers;

    bool operator==(const Diary&) const = default;
  };
  const Diary& of(MemoryMaster master) const { return diaries_[static_cast<size_t>(master)]; }
  uint64_t cycle() const { return model_.cycle(); }
  // The contents; word i starts as word(i).
  std::vector<uint64_t>& words() { return words_; }
  static uint64_t word(uint64_t index) { return 0x1000000000000000 + index; }

 private:
  struct Request {
    uint32_t address, beats;
  };
  struct Queues {
    std::deque<Request> reads, writes;
    std::deque<uint64_t> values;
  };

  void run_cycle();
  void write_down(MemoryMaster master);
  void send(MemoryMaster master);

  std::vector<uint64_t> words_;
  DramModel model_;
  std::array<Queues, kNumMemoryMasters> queues_;
  std::array<Diary, kNumMemoryMasters> diaries_;
};

}  // namespace vta::sim

#endif  // VTA_TESTS_UNIT_SIM_MEMORY_DRAM_BENCH_H_
