// SPDX-License-Identifier: Apache-2.0
//
// DRAM at the pins of one AXI master: the AXI3 or AXI4 channels without the signals that are
// constant for all bursts (8 bytes per beat, incrementing addresses, full strobes).
//
// In each cycle, after DramModel::begin_cycle(): drive() the slave's pins; let the master's pins
// settle; sample() them; then comes the clock edge. drive() does not depend on any pin of that
// cycle.
//
// If a master is not ready for a beat or a response, they queue here and do not stall other
// masters. A master that violates AXI (drops a request, ends a burst too early, ...) is our bug:
// std::logic_error.
// bug of ours: std::logic_error.
#ifndef VTA_SIM_MEMORY_AXI_SLAVE_H_
#define VTA_SIM_MEMORY_AXI_SLAVE_H_

#include <cstdint>
#include <deque>

#include "sim/memory/dram_model.h"

namespace vta::sim {

// A value of RRESP and BRESP.
constexpr uint8_t kAxiOkay = 0;
constexpr uint8_t kAxiSlaveError = 2;

// The address channel driven by the master: {AR,AW}VALID, ADDR, LEN.
struct AxiAddress {
  bool valid = false;
  uint32_t addr = 0;
  uint32_t len = 0;  // beats - 1

  bool operator==(const AxiAddress&) const = default;
};

struct AxiReadMasterPins {
  AxiAddress ar;
  bool rready = false;
};
struct AxiReadSlavePins {
  bool arready = false;
  bool rvalid = false;
  uint64_t rdata = 0;
  uint8_t rresp = kAxiOkay;
  bool rlast = false;
};

struct AxiWriteMasterPins {
  AxiAddress aw;
  bool wvalid = false;
  uint64_t wdata = 0;
  bool wlast = false;
  bool bready = false;
};
struct AxiWriteSlavePins {
  bool awready = false;
  bool wready = false;
  bool bvalid = false;
  uint8_t bresp = kAxiOkay;
};

// The inline functions are the fast path of cycles without activity.
class AxiReadSlave {
 public:
  AxiReadSlave(DramModel& dram, MemoryMaster master) : dram_(dram), master_(master) {}

  void reset();
  const AxiReadSlavePins& drive() {
    driven_.arready = dram_.takes_read(master_);
    const DramModel::Beat& beat = dram_.read_beat(master_);
    if (!beat.valid) return driven_;
    if (driven_.rvalid) {
      waiting_.push_back(beat);
    } else {
      show(beat);
    }
    return driven_;
  }
  void sample(const AxiReadMasterPins& pins) {
    if (pins.ar.valid || refused_.valid) sample_address(pins.ar);
    if (!driven_.rvalid || !pins.rready) return;
    driven_.rvalid = false;
    if (!waiting_.empty()) show_next();
  }
  // No beat waits for the master, and the master requests nothing.
  bool is_quiet() const { return !driven_.rvalid && !refused_.valid; }

 private:
  void show(const DramModel::Beat& beat) {
    driven_.rvalid = true;
    driven_.rdata = beat.data;
    driven_.rresp = beat.error ? kAxiSlaveError : kAxiOkay;
    driven_.rlast = beat.last;
  }
  void show_next();
  void sample_address(const AxiAddress& address);

  DramModel& dram_;
  const MemoryMaster master_;
  AxiReadSlavePins driven_;
  AxiAddress refused_;                   // that the master must repeat
  std::deque<DramModel::Beat> waiting_;  // after the beat that is driven
};

class AxiWriteSlave {
 public:
  AxiWriteSlave(DramModel& dram, MemoryMaster master) : dram_(dram), master_(master) {}

  void reset();
  const AxiWriteSlavePins& drive() {
    const DramModel::Response& response = dram_.write_response(master_);
    if (response.valid) responses_.push_back(response);
    driven_.awready = dram_.takes_write(master_);
    driven_.wready = dram_.takes_beat(master_);
    driven_.bvalid = !responses_.empty();
    if (driven_.bvalid) show_response();
    return driven_;
  }
  void sample(const AxiWriteMasterPins& pins) {
    if (pins.wvalid || refused_beat_.wvalid) sample_beat(pins);
    if (pins.aw.valid || refused_.valid) sample_address(pins.aw);
    if (driven_.bvalid && pins.bready) responses_.pop_front();
  }
  // No response waits for the master, and the master requests nothing.
  bool is_quiet() const { return responses_.empty() && !refused_.valid && !refused_beat_.wvalid; }

 private:
  void show_response();
  void sample_beat(const AxiWriteMasterPins& pins);
  void sample_address(const AxiAddress& address);

  DramModel& dram_;
  const MemoryMaster master_;
  AxiWriteSlavePins driven_;
  AxiAddress refused_;
  AxiWriteMasterPins refused_beat_;    // only the fields of W
  std::deque<uint32_t> beats_wanted_;  // of bursts with missing beats
  std::deque<DramModel::Response> responses_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_MEMORY_AXI_SLAVE_H_
