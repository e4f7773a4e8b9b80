// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/axi_slave.h"

#include "base/errors/error.h"

namespace vta::sim {
namespace {

// A request must not change until it is accepted. Returns true if it is accepted in this cycle.
bool accept_address(const AxiAddress& address, bool ready, AxiAddress& refused) {
  VTA_ASSERT(!refused.valid || address == refused, "AXI: a request changed before it was accepted");
  refused = address.valid && !ready ? address : AxiAddress{};
  return address.valid && ready;
}

}  // namespace

void AxiReadSlave::reset() {
  driven_ = {};
  refused_ = {};
  waiting_.clear();
}

void AxiReadSlave::show_next() {
  show(waiting_.front());
  waiting_.pop_front();
}

void AxiReadSlave::sample_address(const AxiAddress& address) {
  if (accept_address(address, driven_.arready, refused_)) {
    dram_.read(master_, address.addr, address.len + 1);
  }
}

void AxiWriteSlave::reset() {
  driven_ = {};
  refused_ = {};
  refused_beat_ = {};
  beats_wanted_.clear();
  responses_.clear();
}

void AxiWriteSlave::show_response() {
  driven_.bresp = responses_.front().error ? kAxiSlaveError : kAxiOkay;
}

void AxiWriteSlave::sample_address(const AxiAddress& address) {
  if (!accept_address(address, driven_.awready, refused_)) return;
  dram_.write(master_, address.addr, address.len + 1);
  beats_wanted_.push_back(address.len + 1);
}

void AxiWriteSlave::sample_beat(const AxiWriteMasterPins& pins) {
  const bool is_kept =
      pins.wvalid && pins.wdata == refused_beat_.wdata && pins.wlast == refused_beat_.wlast;
  VTA_ASSERT(!refused_beat_.wvalid || is_kept, "AXI: a beat changed before it was accepted");
  refused_beat_ = {};
  if (!pins.wvalid) return;
  if (!driven_.wready) {
    refused_beat_ = pins;
    return;
  }
  const bool is_last = --beats_wanted_.front() == 0;
  VTA_ASSERT(pins.wlast == is_last, "AXI: WLAST is not at the last beat of its burst");
  if (is_last) beats_wanted_.pop_front();
  dram_.write_beat(master_, pins.wdata);
}

}  // namespace vta::sim
