// SPDX-License-Identifier: Apache-2.0
//
// DRAM at the pins of one AXI master: the channels of AXI3 or AXI4, without what is the same for
// all bursts (8 bytes a beat, incrementing addresses, every byte written).
//
// In each cycle, after DramModel::begin_cycle(): drive() the slave's pins; let the master's settle;
// sample() them; then comes the clock's edge. What drive() gives depends on no pin of that cycle.
//
// A master that is not ready for a beat or a response keeps nobody else waiting: they queue up
// here. A master that breaks a rule of AXI (takes a request back, ends a burst too early, ...) is a
// bug of ours: std::logic_error.
#ifndef VTA_SIM_MEMORY_AXI_SLAVE_H_
#define VTA_SIM_MEMORY_AXI_SLAVE_H_

#include <cstdint>
#include <deque>

#include "sim/memory/dram_model.h"

namespace vta::sim {

// Of RRESP and BRESP.
constexpr uint8_t kAxiOkay = 0;
constexpr uint8_t kAxiSlaveError = 2;

// An address channel from the master: {AR,AW}VALID, ADDR, LEN.
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

// Inline is what happens in cycles in which nothing does.
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
  // No beat waits for the master, and it asks for nothing.
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
  AxiAddress refused_;                   // what the master must still ask for
  std::deque<DramModel::Beat> waiting_;  // behind the one that is driven
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
  // No response waits for the master, and it asks for nothing.
  bool is_quiet() const { return responses_.empty() && !refused_.valid && !refused_beat_.wvalid; }

 private:
  void show_response();
  void sample_beat(const AxiWriteMasterPins& pins);
  void sample_address(const AxiAddress& address);

  DramModel& dram_;
  const MemoryMaster master_;
  AxiWriteSlavePins driven_;
  AxiAddress refused_;
  AxiWriteMasterPins refused_beat_;    // of its fields only those of W
  std::deque<uint32_t> beats_wanted_;  // of the bursts that still bring beats
  std::deque<DramModel::Response> responses_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_MEMORY_AXI_SLAVE_H_
