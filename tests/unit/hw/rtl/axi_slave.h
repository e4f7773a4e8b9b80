// SPDX-License-Identifier: Apache-2.0
//
// The memory that the AXI masters of one variant access: responds in order, after a latency, with
// stalls, and checks the masters against AXI's rules.
//
// A cycle: drive(), settling of the combinational logic, sample().
#ifndef VTA_TESTS_UNIT_HW_RTL_AXI_SLAVE_H_
#define VTA_TESTS_UNIT_HW_RTL_AXI_SLAVE_H_

#include <deque>
#include <map>

#include "base/numbers/random.h"
#include "tests/unit/hw/rtl/library.h"

namespace vta::rtl {

struct Burst {
  uint32_t address = 0;
  int beats = 0;
};
// At most 16 beats, within 4 KiB.
Burst random_burst(Random& random);

enum Response : uint8_t { kOkay, kExclusiveOkay, kSlaveError, kDecodeError };

struct AxiTiming {
  int latency = 1, latency_spread = 0;  // cycles from an address, or the last beat, to the response
  int stall_percent = 0;                // of the cycles of each channel
};

// The payload of a valid channel must not change until it is accepted.
class Stable {
 public:
  void see(bool valid, bool ready, uint64_t payload);

 private:
  bool waits_ = false;
  uint64_t payload_ = 0;
};

class AxiReadSlave {
 public:
  AxiReadSlave(Library& library, int variant, AxiTiming timing, Random& random)
      : library_(library), variant_(variant), timing_(timing), random_(random) {}

  static uint64_t word(uint32_t address) { return (uint64_t{~address} << 32) | (address * 97); }

  void drive();
  void sample();

  // The response of the beat after this many further ones.
  void answer(int beats_from_now, Response response) {
    responses_[beats_ + beats_from_now] = response;
  }
  uint64_t beats() const { return beats_; }
  int first_beat() const { return first_beat_; }
  int last_beat() const { return last_beat_; }
  int max_bursts() const { return max_bursts_; }  // maximum in flight at once

 private:
  struct Pending {
    Burst burst;
    int ready = 0;  // cycle
    int sent = 0;
  };

  Library& library_;
  const int variant_;
  const AxiTiming timing_;
  Random& random_;
  Stable address_;
  std::deque<Pending> pending_;
  std::map<uint64_t, Response> responses_;  // by beat
  uint64_t beats_ = 0;
  int first_beat_ = -1, last_beat_ = -1;
  int max_bursts_ = 0;
};

class AxiWriteSlave {
 public:
  AxiWriteSlave(Library& library, int variant, AxiTiming timing, Random& random)
      : library_(library), variant_(variant), timing_(timing), random_(random) {}

  void drive();
  void sample();

  // The response of the burst after this many further ones.
  void answer(int bursts_from_now, Response response) {
    responses_[answered_ + bursts_from_now] = response;
  }
  uint64_t beats() const { return beats_; }
  uint64_t answered() const { return answered_; }  // bursts
  int first_beat() const { return first_beat_; }
  int last_beat() const { return last_beat_; }
  int max_bursts() const { return max_bursts_; }
  const std::map<uint32_t, uint64_t>& memory() const { return memory_; }

 private:
  void take_beat(uint64_t data, bool last);

  Library& library_;
  const int variant_;
  const AxiTiming timing_;
  Random& random_;
  Stable address_, data_, last_;
  std::deque<Burst> bursts_;  // whose beats have not all arrived
  int sent_ = 0;              // beats of the first burst
  std::deque<int> answers_;   // cycles in which the next responses are due
  std::map<uint64_t, Response> responses_;
  std::map<uint32_t, uint64_t> memory_;
  uint64_t beats_ = 0, answered_ = 0;
  int first_beat_ = -1, last_beat_ = -1;
  int max_bursts_ = 0;
};

}  // namespace vta::rtl

#endif  // VTA_TESTS_UNIT_HW_RTL_AXI_SLAVE_H_
