// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/axi_slave.h"

#include "runtime/base/error.h"

namespace vta::sim {
namespace {

// A request stays as it is until it is taken. Returns whether that is in this cycle.
bool take_address(const AxiAddress& address, bool ready, AxiAddress& refused) {
  VTA_ASSERT(!refused.valid || address == refused, "AXI: a request changed before it was taken");
  refused = address.valid && !ready ? address : AxiAddress{};
  return address.valid && ready;
}

}  // namespace

void AxiReadSlave::reset() {
  driven_ = {};
  refused_ = {};
  beats_.clear();
}

const AxiReadSlavePins& AxiReadSlave::drive() {
  const DramModel::Beat& beat = dram_.read_beat(master_);
  if (beat.valid) beats_.push_back(beat);
  driven_ = {};
  driven_.arready = dram_.takes_read(master_);
  if (beats_.empty()) return driven_;
  const DramModel::Beat& first = beats_.front();
  driven_.rvalid = true;
  driven_.rdata = first.data;
  driven_.rresp = first.error ? kAxiSlaveError : kAxiOkay;
  driven_.rlast = first.last;
  return driven_;
}

void AxiReadSlave::sample(const AxiReadMasterPins& pins) {
  if (take_address(pins.ar, driven_.arready, refused_)) {
    dram_.read(master_, pins.ar.addr, pins.ar.len + 1);
  }
  if (driven_.rvalid && pins.rready) beats_.pop_front();
}

void AxiWriteSlave::reset() {
  driven_ = {};
  refused_ = {};
  refused_beat_ = {};
  beats_wanted_.clear();
  responses_.clear();
}

const AxiWriteSlavePins& AxiWriteSlave::drive() {
  const DramModel::Response& response = dram_.write_response(master_);
  if (response.valid) responses_.push_back(response);
  driven_ = {};
  driven_.awready = dram_.takes_write(master_);
  driven_.wready = dram_.takes_beat(master_);
  driven_.bvalid = !responses_.empty();
  if (driven_.bvalid && responses_.front().error) driven_.bresp = kAxiSlaveError;
  return driven_;
}

void AxiWriteSlave::sample(const AxiWriteMasterPins& pins) {
  sample_beat(pins);
  if (take_address(pins.aw, driven_.awready, refused_)) {
    dram_.write(master_, pins.aw.addr, pins.aw.len + 1);
    beats_wanted_.push_back(pins.aw.len + 1);
  }
  if (driven_.bvalid && pins.bready) responses_.pop_front();
}

void AxiWriteSlave::sample_beat(const AxiWriteMasterPins& pins) {
  const bool is_kept =
      pins.wvalid && pins.wdata == refused_beat_.wdata && pins.wlast == refused_beat_.wlast;
  VTA_ASSERT(!refused_beat_.wvalid || is_kept, "AXI: a beat changed before it was taken");
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
