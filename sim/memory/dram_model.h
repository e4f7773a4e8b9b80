// SPDX-License-Identifier: Apache-2.0
//
// The time that DRAM takes, and its contents: the same for every simulator that counts cycles.
//
// In each cycle: begin_cycle(); then ask for the beats and responses of the cycle; then hand over
// what the masters send in it, in the order of MemoryMaster.
#ifndef VTA_SIM_MEMORY_DRAM_MODEL_H_
#define VTA_SIM_MEMORY_DRAM_MODEL_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "configs/memory_config.h"

namespace vta::sim {

class DramModel {
 public:
  explicit DramModel(const MemoryConfig& config);

  // Empties all queues and starts counting bursts anew. Accesses outside of `dram` get an error
  // response.
  void reset(uint8_t* dram, uint64_t dram_bytes);

  void begin_cycle();

  struct Beat {
    bool valid = false;
    bool last = false;
    bool error = false;
    uint64_t data = 0;
  };
  // The beat that `master` gets in this cycle; it must take it.
  const Beat& read_beat(MemoryMaster master) const { return beats_[index(master)]; }
  // Whether a beat that `master` sends in this cycle is taken.
  bool takes_beat(MemoryMaster master) const { return takes_[index(master)]; }
  struct Response {
    bool valid = false;
    bool error = false;
  };
  const Response& write_response(MemoryMaster master) const { return responses_[index(master)]; }

  // Bursts of `beats` of 8 bytes; always taken.
  void read(MemoryMaster master, uint32_t address, uint32_t beats);
  void write(MemoryMaster master, uint32_t address, uint32_t beats);
  // The next beat of the oldest burst of `master` that still wants some.
  void write_beat(MemoryMaster master, uint64_t data);

  // Nothing is under way.
  bool is_quiet() const { return under_way_ == 0; }

 private:
  struct Burst {
    MemoryMaster master;
    uint32_t address, beats;
    uint32_t done = 0;
    uint64_t number;      // of its port
    uint64_t next_cycle;  // the earliest of its next beat
    bool error = false;
  };
  struct Port {
    std::deque<Burst> reads, writes;
    std::deque<std::pair<uint64_t, Burst>> answers;  // cycle, burst
    uint64_t read_bursts = 0, write_bursts = 0;
  };

  static size_t index(MemoryMaster master) { return static_cast<size_t>(master); }
  uint64_t draw(uint32_t port, uint64_t burst, uint32_t what) const;
  uint64_t extra_latency(uint32_t port, uint64_t burst) const;
  uint64_t pause(uint32_t port, const Burst& burst) const;
  bool spend_beat();
  void serve_read(uint32_t port);
  void serve_write(uint32_t port);
  bool is_inside(uint64_t address) const { return address + 8 <= dram_bytes_; }

  const MemoryConfig config_;
  uint8_t* dram_ = nullptr;
  uint64_t dram_bytes_ = 0;
  uint64_t cycle_ = 0;
  uint64_t budget_ = 0;  // bytes that may move, times 100
  uint64_t under_way_ = 0;
  std::vector<Port> ports_;
  std::array<Beat, kNumMemoryMasters> beats_;
  std::array<bool, kNumMemoryMasters> takes_{};
  std::array<Response, kNumMemoryMasters> responses_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_MEMORY_DRAM_MODEL_H_
