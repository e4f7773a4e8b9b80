// SPDX-License-Identifier: Apache-2.0
#include "sim/process_network/shared_dram.h"

#include <algorithm>

namespace vta::process_network {

SharedDram::SharedDram(ProcessNetwork& network, const MemoryConfig& config)
    : network_(network), model_(config) {
  model_.reset(nullptr, 0);
  network.add(*this);
}

void SharedDram::add(ReadPort& port, MemoryMaster master) {
  port.connect(*this, master);
  readers_.push_back(&port);
}

void SharedDram::add(WritePort& port, MemoryMaster master) {
  port.connect(*this, master);
  writers_.push_back(&port);
}

void SharedDram::read_may_issue(ReadPort&) { network_.expect(std::max(next_event(), next_) + 1); }
void SharedDram::write_may_move(WritePort&) { network_.expect(std::max(next_event(), next_) + 1); }

Cycle SharedDram::next_event() const {
  Cycle at = model_.next_move();
  if (at != kNever) --at;  // model cycles start at 1
  for (const ReadPort* port : readers_) at = std::min(at, port->issue_at());
  for (const WritePort* port : writers_) at = std::min(at, port->issue_at());
  return at == kNever ? kNever : std::max(at, next_);
}

void SharedDram::handle_events() {
  do simulate_cycle();
  while (next_event() < network_.known_to());
}

void SharedDram::simulate_cycle() {
  const Cycle at = next_event();
  model_.skip_to(in_model(at) - 1);
  model_.begin_cycle();
  next_ = at + 1;
  for (ReadPort* port : readers_) {
    const sim::DramModel::Beat& beat = model_.read_beat(port->master());
    if (!beat.valid) continue;
    if (beat.last) last_cycle_ = at;
    port->beats_arrive(at, 1, beat.last);
    count_moved(port->master(), at, 1);
  }
  move_writes(at);
  issue_reads(at);
  for (ReadPort* port : readers_) port->take_planned();
}

void SharedDram::issue_reads(Cycle at) {
  for (ReadPort* port : readers_) {
    if (port->issue_at() > at || !model_.accepts_read(port->master())) continue;
    const DramRequest request = port->issue(at);
    model_.read(port->master(), request.address, request.beats);
  }
}

void SharedDram::move_writes(Cycle at) {
  for (WritePort* port : writers_) {
    const MemoryMaster master = port->master();
    const bool issues = port->issue_at() <= at && model_.accepts_write(master);
    if (model_.write_response(master).valid) {
      last_cycle_ = at;
      port->respond(at);
    }
    if (model_.accepts_beat(master) && port->beats.has_front() && port->beats.front_at() <= at) {
      model_.write_beat(master, 0);
      port->send_beat(at);
      count_moved(master, at, 1);
    }
    if (!issues) continue;
    const DramRequest request = port->issue(at);
    model_.write(master, request.address, request.beats);
  }
}

}  // namespace vta::process_network
