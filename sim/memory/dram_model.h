// SPDX-License-Identifier: Apache-2.0
//
// DramModel: the timing and contents of DRAM, shared by all simulators that count cycles.
//
// In each cycle: call begin_cycle(); query the beats and responses of the cycle and the requests it
// accepts; then pass on what the masters send in it, in any order. Inputs of a cycle take effect in
// the next one.
//
// Timing. Every port has a read and a write channel. Each moves at most one beat of 8 bytes per
// cycle and serves bursts in order of their requests, and requests of one cycle in the order of
// MemoryMaster. A burst requested in cycle c on an idle channel gets its first beat in cycle c +
// read_latency_cycles. Writes send beats from cycle c + 1 on; the response follows
// write_latency_cycles after the last beat, one response per cycle and port. If the bandwidth of
// all ports is insufficient, the channels that need a beat take turns.
//
// Contents. A read returns memory as of its request, and a write takes effect with its response:
// the minimum that AXI guarantees, so that a core that relies on more fails.
#ifndef VTA_SIM_MEMORY_DRAM_MODEL_H_
#define VTA_SIM_MEMORY_DRAM_MODEL_H_

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "configs/core_timing.h"
#include "configs/memory_config.h"
#include "sim/memory/beat_counts.h"
#include "sim/memory/random_delays.h"

namespace vta::sim {

// Called for each beat that a master writes, in order. An exception ends the run.
class WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  virtual void beat_written(uint64_t cycle, uint64_t address, uint64_t value) = 0;
};

class DramModel {
 public:
  static constexpr uint32_t kMaxBurstBeats = 16;

  explicit DramModel(const MemoryConfig& config);

  // Empties all queues and resets the counters of cycles and bursts. Accesses outside `dram` get an
  // error response. `observer` may be null.
  void reset(uint8_t* dram, uint64_t dram_bytes, WriteObserver* observer = nullptr);

  // Counts the beats of each master, from the first cycle of the run, 0; null stops counting.
  void count_beats(std::array<BeatCounts, kNumMemoryMasters>* counts) { beat_counts_ = counts; }

  void begin_cycle();
  // The first cycle after this one in which a beat or a response may move; UINT64_MAX if nothing is
  // in flight.
  uint64_t next_move() const;
  // Equals begin_cycle() for all cycles up to `cycle`, which must be before next_move().
  void skip_to(uint64_t cycle);
  // The current cycle; the first one after reset() is 1.
  uint64_t cycle() const { return cycle_; }

  struct Beat {
    bool valid = false;
    bool last = false;
    bool error = false;
    uint64_t data = 0;
  };
  // The beat for `master` in this cycle; the master must accept it.
  const Beat& read_beat(MemoryMaster master) const { return beats_[index(master)]; }
  // True if a beat that `master` sends in this cycle is accepted; at most one is.
  bool accepts_beat(MemoryMaster master) const { return accepts_beat_[index(master)]; }
  struct Response {
    bool valid = false;
    bool error = false;
  };
  const Response& write_response(MemoryMaster master) const { return responses_[index(master)]; }

  // True if a request of `master` is accepted in this cycle; always true if the memory has no
  // max_request_gap_cycles.
  bool accepts_read(MemoryMaster master) const { return accepts_request(reads_of_[index(master)]); }
  bool accepts_write(MemoryMaster master) const {
    return accepts_request(writes_of_[index(master)]);
  }
  // Requests a burst of `beats` of 8 bytes, at most kMaxBurstBeats, aligned and within 4 KiB; at
  // most one of each direction per cycle and master, and only if accepted.
  void read(MemoryMaster master, uint32_t address, uint32_t beats);
  void write(MemoryMaster master, uint32_t address, uint32_t beats);
  // Sends the next beat of the oldest incomplete write burst of `master`.
  void write_beat(MemoryMaster master, uint64_t data);

  // True if nothing is in flight.
  bool is_quiet() const { return in_flight_ == 0; }

 private:
  struct Burst {
    BurstId id;
    uint32_t address = 0;
    uint32_t beats = 0;
    uint32_t done = 0;        // beats that have moved
    uint64_t next_cycle = 0;  // earliest cycle of its next beat or of its response
    std::array<uint64_t, kMaxBurstBeats> data;
  };
  struct Port {
    std::deque<Burst> reads;
    std::deque<Burst> writes;  // complete bursts at the front wait for their response
    size_t num_complete_writes = 0;
  };
  // Requests of one master in one direction.
  struct Requests {
    uint64_t count = 0;
    uint64_t next_cycle = 0;  // earliest cycle of the next one
    bool has_new = false;     // `newest` arrived in this cycle and is not in the port's queue yet
    Burst newest;
  };

  static size_t index(MemoryMaster master) { return static_cast<size_t>(master); }
  bool accepts_request(const Requests& requests) const { return cycle_ >= requests.next_cycle; }
  Burst& new_request(Requests& requests, MemoryMaster master, Direction direction, uint32_t address,
                     uint32_t beats);
  Port& port_of(MemoryMaster master) { return ports_[config_.port[index(master)]]; }
  bool is_inside(uint64_t address) const { return address + kBeatBytes <= dram_bytes_; }

  void queue_new_requests();
  void serve_channels();
  // Returns false if it needs a beat and the bandwidth is used up.
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
  uint64_t reserved_beats_ = 0;  // reserved for write channels in this cycle
  uint64_t in_flight_ = 0;       // bursts
  bool any_new_ = false;
  uint32_t turn_ = 0;  // the channel that is served first: 2 * port, + 1 for writes
  std::vector<Port> ports_;
  std::array<Requests, kNumMemoryMasters> reads_of_, writes_of_;
  std::array<Beat, kNumMemoryMasters> beats_;
  std::array<bool, kNumMemoryMasters> accepts_beat_{};
  std::array<Response, kNumMemoryMasters> responses_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_MEMORY_DRAM_MODEL_H_
