// SPDX-License-Identifier: Apache-2.0
//
// The time that DRAM takes, and its contents: the same for every simulator that counts cycles.
//
// In each cycle: begin_cycle(); then ask for the beats and responses of the cycle and for what is
// taken in it; then hand over what the masters send in it, in any order. Nothing that is handed
// over in a cycle shows before the next one.
//
// Timing. Every port has a read and a write channel; each moves at most one beat of 8 bytes a
// cycle and serves bursts in the order of their requests, those of one cycle in the order of
// MemoryMaster. A burst that is asked for in cycle c, with nothing before it, gets its first beat
// in cycle c + read_latency_cycles; writes bring beats from cycle c + 1 on and are answered
// write_latency_cycles after their last one, one response a cycle and port. Where the bandwidth of
// all ports together is short, the channels that want a beat take turns.
//
// Contents. A read sees memory as it is at its request, and a write shows from its response on:
// the least that AXI promises, so that a core that counts on more is found out.
#ifndef VTA_SIM_MEMORY_DRAM_MODEL_H_
#define VTA_SIM_MEMORY_DRAM_MODEL_H_

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "configs/memory_config.h"
#include "sim/memory/beat_counts.h"
#include "sim/memory/random_delays.h"

namespace vta::sim {

// Told of each beat that a master writes, in their order. What it throws ends the run.
class WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  virtual void beat_written(uint64_t cycle, uint64_t address, uint64_t value) = 0;
};

class DramModel {
 public:
  static constexpr uint32_t kBeatBytes = 8;
  static constexpr uint32_t kMaxBurstBeats = 16;

  explicit DramModel(const MemoryConfig& config);

  // Empties all queues and counts cycles and bursts anew. Accesses outside of `dram` get an error
  // response. `observer` may be null.
  void reset(uint8_t* dram, uint64_t dram_bytes, WriteObserver* observer = nullptr);

  // Of each master, the run's first cycle being 0; null: no longer.
  void count_beats(std::array<BeatCounts, kNumMemoryMasters>* counts) { beat_counts_ = counts; }

  void begin_cycle();
  // The first cycle after this one in which a beat or a response may move; UINT64_MAX if nothing is
  // under way.
  uint64_t next_move() const;
  // As begin_cycle() for all cycles up to `cycle`, which is before next_move().
  void skip_to(uint64_t cycle);
  // The current one; the first after reset() is 1.
  uint64_t cycle() const { return cycle_; }

  struct Beat {
    bool valid = false;
    bool last = false;
    bool error = false;
    uint64_t data = 0;
  };
  // The beat that `master` gets in this cycle; it must take it.
  const Beat& read_beat(MemoryMaster master) const { return beats_[index(master)]; }
  // Whether a beat that `master` sends in this cycle is taken; at most one is.
  bool takes_beat(MemoryMaster master) const { return takes_beat_[index(master)]; }
  struct Response {
    bool valid = false;
    bool error = false;
  };
  const Response& write_response(MemoryMaster master) const { return responses_[index(master)]; }

  // Whether a request of `master` is taken in this cycle; always, where the memory has no
  // max_request_gap_cycles.
  bool takes_read(MemoryMaster master) const { return takes_request(reads_of_[index(master)]); }
  bool takes_write(MemoryMaster master) const { return takes_request(writes_of_[index(master)]); }
  // A burst of `beats` of 8 bytes, at most kMaxBurstBeats, aligned, not beyond a 4 KiB boundary; at
  // most one of each kind in a cycle from one master, and only if it is taken.
  void read(MemoryMaster master, uint32_t address, uint32_t beats);
  void write(MemoryMaster master, uint32_t address, uint32_t beats);
  // The next beat of the oldest burst of `master` that still wants some.
  void write_beat(MemoryMaster master, uint64_t data);

  // Nothing is under way.
  bool is_quiet() const { return under_way_ == 0; }

 private:
  struct Burst {
    BurstId id;
    uint32_t address = 0;
    uint32_t beats = 0;
    uint32_t done = 0;        // beats that have moved
    uint64_t next_cycle = 0;  // the earliest of its next beat, or of its response
    std::array<uint64_t, kMaxBurstBeats> data;
  };
  struct Port {
    std::deque<Burst> reads;
    std::deque<Burst> writes;  // those at the front have all their beats and wait for the response
    size_t num_complete_writes = 0;
  };
  // Requests of one master in one direction.
  struct Requests {
    uint64_t count = 0;
    uint64_t next_cycle = 0;  // the earliest of the next one
    bool has_new = false;     // `newest` is of this cycle and not in its port's queue yet
    Burst newest;
  };

  static size_t index(MemoryMaster master) { return static_cast<size_t>(master); }
  bool takes_request(const Requests& requests) const { return cycle_ >= requests.next_cycle; }
  Burst& new_request(Requests& requests, MemoryMaster master, Direction direction, uint32_t address,
                     uint32_t beats);
  Port& port_of(MemoryMaster master) { return ports_[config_.port[index(master)]]; }
  bool is_inside(uint64_t address) const { return address + kBeatBytes <= dram_bytes_; }

  void queue_new_requests();
  void serve_channels();
  // False: it wants a beat and the bandwidth is used up.
  bool serve_read(Port& port);
  bool serve_write(Port& port);
  void respond(Port& port);
  bool spend_beat();
  void count_beat(MemoryMaster master) {
    if (beat_counts_ != nullptr) (*beat_counts_)[index(master)].add(cycle_ - 1);
  }

  const MemoryConfig config_;
  const RandomDelays delays_;
  uint8_t* dram_ = nullptr;
  uint64_t dram_bytes_ = 0;
  WriteObserver* observer_ = nullptr;
  std::array<BeatCounts, kNumMemoryMasters>* beat_counts_ = nullptr;
  uint64_t cycle_ = 0;
  uint64_t budget_ = 0;          // bytes that may move, times 100
  uint64_t reserved_beats_ = 0;  // that write channels wait for in this cycle
  uint64_t under_way_ = 0;       // bursts
  bool any_new_ = false;
  uint32_t turn_ = 0;  // the channel that comes first: 2 * port, + 1 for writes
  std::vector<Port> ports_;
  std::array<Requests, kNumMemoryMasters> reads_of_, writes_of_;
  std::array<Beat, kNumMemoryMasters> beats_;
  std::array<bool, kNumMemoryMasters> takes_beat_{};
  std::array<Response, kNumMemoryMasters> responses_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_MEMORY_DRAM_MODEL_H_
