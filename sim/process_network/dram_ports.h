// SPDX-License-Identifier: Apache-2.0
//
// The DRAM ports of processes: the timing of hw/rtl's hls_axi_read and hls_axi_write. The DRAM
// model (shared_dram.h, uncontended_dram.h) drives them.
#ifndef VTA_SIM_PROCESS_NETWORK_DRAM_PORTS_H_
#define VTA_SIM_PROCESS_NETWORK_DRAM_PORTS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/memory/dram_model.h"
#include "sim/process_network/series.h"
#include "sim/process_network/stream.h"

namespace vta::process_network {

using sim::DramModel;

struct DramRequest {
  uint32_t address = 0, beats = 0;
};
constexpr uint32_t kWaitingRequests = 4;  // in the request FIFO of an adaptor

// The interface of the ports to the DRAM model.
class ReadPort;
class WritePort;
class Dram {
 public:
  virtual ~Dram() = default;
  // Called after a new request, and after the pop of an awaited beat.
  virtual void read_may_issue(ReadPort& port) = 0;
  // Called after a new request or a new beat.
  virtual void write_may_move(WritePort& port) = 0;
};

// Supplies the data of beats, by number.
class BeatSource {
 public:
  virtual ~BeatSource() = default;
  virtual uint64_t content(uint64_t number) = 0;
};

class ReadPort {
 public:
  explicit ReadPort(uint32_t bursts)
      : bursts_(bursts),
        space_beats_(bursts * DramModel::kMaxBurstBeats),
        mask_(std::bit_ceil(space_beats_) - 1),
        pop_cycles_(mask_ + 1),
        runs_(mask_ + 1),
        last_cycles_(bursts) {}

  void connect(Dram& dram, MemoryMaster master) { dram_ = &dram, master_ = master; }
  MemoryMaster master() const { return master_; }
  // The source of the data of beats: `source` or memory. Without a source, beats have no data.
  void read_from(BeatSource& source) { source_ = &source; }
  void read_from(const uint8_t* dram, uint64_t dram_bytes) {
    memory_ = dram, memory_bytes_ = dram_bytes;
  }

  // The process that requests bursts writes `requests`; the process that reads the data reads
  // `beats`.
  class Requests : public Stream<DramRequest, kWaitingRequests, 1> {
   public:
    explicit Requests(ReadPort& port) : port_(port) {}
    void push(Cycle at, DramRequest request) {
      Stream::push(at, request);
      port_.dram_->read_may_issue(port_);
    }

    // For a nest that only requests bursts. plan(): an iteration that requests one.
    Series series;
    void plan(DramRequest request) {
      if (series.is_long()) settle();
      planned_.push_back(request);
      series.plan(1);
    }
    void settle() {
      push_planned(true);
      series.settle();
    }
    // Pushes planned requests as far as there is space. `tell`: the DRAM does not look at the port
    // by itself.
    void push_planned(bool tell);

   private:
    ReadPort& port_;
    std::vector<DramRequest> planned_;
    size_t first_planned_ = 0;
    bool is_pushing_ = false;
  };
  Requests requests{*this};

  class Beats : public StreamEnds {
   public:
    explicit Beats(ReadPort& port) : port_(port) {}
    bool has_front() const { return port_.popped_ != port_.arrived_; }
    Cycle front_at() const { return std::max(port_.front_seen_, port_.last_pop_ + 1); }
    uint64_t front() const { return port_.front_data(); }
    void pop(Cycle at) { port_.pop(at); }
    // For a nest that only takes beats whose data the model does not need. plan(): iterations that
    // take one each.
    Series series;
    void plan(uint64_t count) {
      if (series.is_long()) settle();
      series.plan(count);
    }
    void settle() {
      port_.take_planned();
      series.settle();
    }
    void arrive(Cycle seen) { wake_reader(seen); }

   private:
    ReadPort& port_;
  };
  Beats beats{*this};

  // --- For the DRAM model ---

  // The first cycle in which the adaptor can issue the oldest request; kNever if that is unknown or
  // there is none.
  Cycle issue_at() const;
  DramRequest issue(Cycle at);
  // The next `count` beats arrive, one per cycle from cycle `at` on; `last`: the last of them ends
  // a burst.
  void beats_arrive(Cycle at, uint32_t count, bool last);
  // Takes planned beats that have arrived. Called after beats_arrive(), when the DRAM may look at
  // the port again.
  void take_planned();

 private:
  // Beats that arrive in consecutive cycles.
  struct Run {
    Cycle seen;
    uint32_t count;
  };
  void pop(Cycle at) {
    pop_cycles_[popped_++ & mask_] = last_pop_ = at;
    ++front_seen_;
    if (--front_left_ == 0) next_run();
    if (memory_ != nullptr) next_word();
    look_at_awaited_pops();
  }
  void look_at_awaited_pops() {
    if (popped_ != awaited_pops_) return;
    awaited_pops_ = kNever;
    dram_->read_may_issue(*this);
  }
  void next_run();
  void next_word();
  uint64_t front_data() const;

  uint64_t bursts_, space_beats_;
  uint64_t mask_;  // of indices into the ring buffers
  Dram* dram_ = nullptr;
  MemoryMaster master_{};
  BeatSource* source_ = nullptr;
  const uint8_t* memory_ = nullptr;
  uint64_t memory_bytes_ = 0;
  std::vector<Cycle> pop_cycles_;  // of the most recent beats
  std::vector<Run> runs_;          // after the front run
  uint64_t first_run_ = 0, end_run_ = 0;
  Cycle front_seen_ = 0;  // of the oldest beat
  uint32_t front_left_ = 0;
  std::vector<Cycle> last_cycles_;   // cycle of the last beat of the most recent bursts
  std::vector<DramRequest> issued_;  // bursts whose words are read from memory
  size_t first_issued_ = 0;
  uint64_t arrived_ = 0, popped_ = 0, issued_beats_ = 0, issued_bursts_ = 0, ended_bursts_ = 0;
  mutable uint64_t awaited_pops_ = kNever;  // number of pops that make space for the oldest request
  Cycle last_issue_ = kNever, last_pop_ = kNever;
  bool is_taking_ = false;
};

class WritePort {
 public:
  explicit WritePort(uint32_t bursts)
      : bursts_(bursts), sent_cycles_(bursts), response_cycles_(bursts) {}

  void connect(Dram& dram, MemoryMaster master) { dram_ = &dram, master_ = master; }
  MemoryMaster master() const { return master_; }

  template <class Item, uint32_t depth>
  class Side : public Stream<Item, depth, 1> {
   public:
    explicit Side(WritePort& port) : port_(port) {}
    void push(Cycle at, Item item) {
      Stream<Item, depth, 1>::push(at, item);
      port_.pushed(at, item);
      port_.dram_->write_may_move(port_);
    }

   private:
    WritePort& port_;
  };
  Side<DramRequest, kWaitingRequests> requests{*this};
  Side<NoContent, 32> beats{*this};

  // The reader is the process that waits for the completion of all writes.
  class Idle : public StreamEnds {
   public:
    explicit Idle(WritePort& port) : port_(port) {}
    // True if all requests have a response in a known cycle.
    bool has_front() const { return port_.pending_responses_ == 0 && !port_.beats.has_front(); }
    Cycle front_at() const { return port_.idle_from_; }
    void arrive(Cycle at) { wake_reader(at); }

   private:
    WritePort& port_;
  };
  Idle idle{*this};

  // --- For the DRAM model ---

  // Same as for ReadPort.
  Cycle issue_at() const;
  DramRequest issue(Cycle at);
  // True if there is an issued burst with unsent beats.
  bool has_unsent_beats() const { return !in_flight_.empty(); }
  Cycle issue_cycle() const { return in_flight_.front().issued; }
  // Sends its next beat in cycle `at`; returns true for the last beat.
  bool send_beat(Cycle at);
  // The response of the oldest burst without one.
  void respond(Cycle at);

 private:
  void pushed(Cycle at, const DramRequest&) {
    ++pending_responses_;
    idle_from_ = std::max(idle_from_, at + 1);
  }
  void pushed(Cycle at, NoContent) { idle_from_ = std::max(idle_from_, at + 1); }

  struct Burst {
    Cycle issued;
    uint32_t beats_left;
  };

  uint64_t bursts_;
  Dram* dram_ = nullptr;
  MemoryMaster master_{};
  std::deque<Burst> in_flight_;                       // issued, with unsent beats
  std::vector<Cycle> sent_cycles_, response_cycles_;  // of the most recent bursts, by number
  uint64_t num_issued_ = 0, num_sent_ = 0, num_responses_ = 0;
  Cycle last_issue_ = kNever;       // wraps to 0
  uint64_t pending_responses_ = 0;  // requested bursts without response
  Cycle idle_from_ = 0;
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_DRAM_PORTS_H_
