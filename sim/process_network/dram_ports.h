// SPDX-License-Identifier: Apache-2.0
//
// A process's ports to DRAM: hw/rtl's hls_axi_read and hls_axi_write in time. What DRAM itself does
// (shared_dram.h, free_dram.h) is told to them.
#ifndef VTA_SIM_PROCESS_NETWORK_DRAM_PORTS_H_
#define VTA_SIM_PROCESS_NETWORK_DRAM_PORTS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/memory/dram_model.h"
#include "sim/process_network/stream.h"

namespace vta::process_network {

using sim::DramModel;

struct DramRequest {
  uint32_t address = 0, beats = 0;
};
constexpr uint32_t kWaitingRequests = 4;  // in front of an adaptor

// DRAM, as ports see it.
class ReadPort;
class WritePort;
class Dram {
 public:
  virtual ~Dram() = default;
  // A request is new, or the beat has gone that one waited for.
  virtual void read_may_issue(ReadPort& port) = 0;
  // A request or a beat is new.
  virtual void write_may_move(WritePort& port) = 0;
};

// What beats hold, by their numbers.
class BeatSource {
 public:
  virtual ~BeatSource() = default;
  virtual uint64_t content(uint64_t number) = 0;
};

class ReadPort {
 public:
  explicit ReadPort(uint32_t bursts)
      : bursts_(bursts),
        room_beats_(bursts * DramModel::kMaxBurstBeats),
        mask_(std::bit_ceil(room_beats_) - 1),
        pop_cycles_(mask_ + 1),
        runs_(mask_ + 1),
        last_cycles_(bursts) {}

  void connect(Dram& dram, MemoryMaster master) { dram_ = &dram, master_ = master; }
  MemoryMaster master() const { return master_; }
  // Where the content of beats comes from: `source`, or memory as it is. Neither: they have none.
  void read_from(BeatSource& source) { source_ = &source; }
  void read_from(const uint8_t* dram, uint64_t dram_bytes) {
    memory_ = dram, memory_bytes_ = dram_bytes;
  }

  // The process that asks for bursts is the writer of `requests`, the other one the reader of
  // `beats`.
  class Requests : public Stream<DramRequest, kWaitingRequests, 1> {
   public:
    explicit Requests(ReadPort& port) : port_(port) {}
    void push(Cycle at, DramRequest request) {
      Stream::push(at, request);
      port_.dram_->read_may_issue(port_);
    }

   private:
    ReadPort& port_;
  };
  Requests requests{*this};

  class Beats : public StreamEnds {
   public:
    explicit Beats(ReadPort& port) : port_(port) {}
    bool has_front() const { return port_.popped_ != port_.arrived_; }
    Cycle front_at() const { return std::max(port_.front_seen_, port_.last_pop_ + 1); }
    uint64_t front() const { return port_.front_data(); }
    void pop(Cycle at) { port_.pop(at); }
    // Pops one a cycle from cycle `from` on, at most `most`, as long as they are there and it makes
    // no difference to anybody yet. Gives how many.
    uint64_t pop_run(Cycle from, uint64_t max) { return port_.pop_run(from, max); }
    void arrive(Cycle seen) { wake_reader(seen); }

   private:
    ReadPort& port_;
  };
  Beats beats{*this};

  // For DRAM.
  // The cycle in which the oldest request can be issued, as far as the adaptor is concerned; kNever
  // if that is not known yet, or there is none.
  Cycle issue_at() const;
  DramRequest issue(Cycle at);
  // The next `count` beats come one a cycle from cycle `at` on; `last`: with the last one of them a
  // burst ends.
  void beats_come(Cycle at, uint32_t count, bool last);

 private:
  // Beats that come one a cycle.
  struct Run {
    Cycle seen;
    uint32_t count;
  };
  void pop(Cycle at) {
    pop_cycles_[popped_++ & mask_] = last_pop_ = at;
    ++front_seen_;
    if (--front_left_ == 0) next_run();
    if (memory_ != nullptr) next_word();
    if (popped_ == awaited_pops_) {
      awaited_pops_ = kNever;
      dram_->read_may_issue(*this);
    }
  }
  uint64_t pop_run(Cycle from, uint64_t max) {
    if (popped_ == arrived_ || memory_ != nullptr || beats.front_at() > from) return 0;
    const uint64_t count = std::min({max, uint64_t{front_left_}, awaited_pops_ - popped_ - 1});
    if (count == 0) return 0;
    for (uint64_t i = 0; i < count; ++i) pop_cycles_[(popped_ + i) & mask_] = from + i;
    last_pop_ = from + count - 1;
    popped_ += count;
    front_seen_ += count;
    front_left_ -= static_cast<uint32_t>(count);
    if (front_left_ == 0) next_run();
    return count;
  }
  void next_run();
  void next_word();
  uint64_t front_data() const;

  uint64_t bursts_, room_beats_;
  uint64_t mask_;  // of places in the rings
  Dram* dram_ = nullptr;
  MemoryMaster master_{};
  BeatSource* source_ = nullptr;
  const uint8_t* memory_ = nullptr;
  uint64_t memory_bytes_ = 0;
  std::vector<Cycle> pop_cycles_;  // of the last beats
  std::vector<Run> runs_;          // behind the front one
  uint64_t first_run_ = 0, end_run_ = 0;
  Cycle front_seen_ = 0;  // of the oldest beat
  uint32_t front_left_ = 0;
  std::vector<Cycle> last_cycles_;   // of the last bursts: when their last beat came
  std::vector<DramRequest> issued_;  // of which words are read from memory
  size_t first_issued_ = 0;
  uint64_t arrived_ = 0, popped_ = 0, issued_beats_ = 0, issued_bursts_ = 0, ended_bursts_ = 0;
  mutable uint64_t awaited_pops_ = kNever;  // with which there is room for the oldest request
  Cycle last_issue_ = kNever, last_pop_ = kNever;
};

class WritePort {
 public:
  explicit WritePort(uint32_t bursts)
      : bursts_(bursts), sent_cycles_(bursts), answer_cycles_(bursts) {}

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

  // The process that waits until all is in memory is the reader.
  class Idle : public StreamEnds {
   public:
    explicit Idle(WritePort& port) : port_(port) {}
    // All that was asked for has its answer in a cycle that is known.
    bool has_front() const { return port_.unanswered_ == 0 && !port_.beats.has_front(); }
    Cycle front_at() const { return port_.idle_from_; }
    void arrive(Cycle at) { wake_reader(at); }

   private:
    WritePort& port_;
  };
  Idle idle{*this};

  // For DRAM.
  // As ReadPort has them.
  Cycle issue_at() const;
  DramRequest issue(Cycle at);
  // The oldest burst that is issued and has not sent all of its beats.
  bool wants_beats() const { return !under_way_.empty(); }
  Cycle issue_cycle() const { return under_way_.front().issued; }
  // Its next beat goes in cycle `at`; whether that was the last.
  bool beat_goes(Cycle at);
  // The oldest burst without an answer gets it.
  void answered(Cycle at);

 private:
  void pushed(Cycle at, const DramRequest&) {
    ++unanswered_;
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
  std::deque<Burst> under_way_;                     // issued, and not all of their beats sent
  std::vector<Cycle> sent_cycles_, answer_cycles_;  // of the last bursts, by number
  uint64_t num_issued_ = 0, num_sent_ = 0, num_answered_ = 0;
  Cycle last_issue_ = kNever;  // wraps to 0
  uint64_t unanswered_ = 0;    // of those that are asked for
  Cycle idle_from_ = 0;
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_DRAM_PORTS_H_
