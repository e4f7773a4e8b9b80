// SPDX-License-Identifier: Apache-2.0
#include "sim/network/shared_dram.h"

#include <algorithm>

namespace vta::network {

SharedDram::SharedDram(Network& network, const MemoryConfig& config)
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
  Writer& writer = writers_.emplace_back();
  writer.port = &port;
  writer.sent_cycles.resize(port.bursts());
  writer.answer_cycles.resize(port.bursts());
}

void SharedDram::read_may_issue(ReadPort&) { network_.expect(std::max(next_event(), next_) + 1); }
void SharedDram::write_may_move(WritePort&) { network_.expect(std::max(next_event(), next_) + 1); }

Cycle SharedDram::write_issue_at(const Writer& writer) const {
  const WritePort& port = *writer.port;
  if (!port.requests.has_front()) return kNever;
  Cycle at = std::max(port.requests.front_at(), writer.last_issue + 1);
  if (writer.issued < port.bursts()) return at;
  if (writer.answered + port.bursts() <= writer.issued) return kNever;
  const uint64_t i = writer.issued % port.bursts();
  return std::max({at, writer.sent_cycles[i] + 1, writer.answer_cycles[i] + 1});
}

Cycle SharedDram::next_event() const {
  Cycle at = model_.next_move();
  if (at != kNever) --at;  // of the model's cycle
  for (const ReadPort* port : readers_) at = std::min(at, port->issue_at());
  for (const Writer& writer : writers_) at = std::min(at, write_issue_at(writer));
  return at == kNever ? kNever : std::max(at, next_);
}

void SharedDram::happen() {
  do step();
  while (next_event() < network_.known_to());
}

void SharedDram::step() {
  const Cycle at = next_event();
  model_.skip_to(in_model(at) - 1);
  model_.begin_cycle();
  next_ = at + 1;
  for (ReadPort* port : readers_) {
    const sim::DramModel::Beat& beat = model_.read_beat(port->master());
    if (!beat.valid) continue;
    if (beat.last) last_cycle_ = at;
    port->beats_come(at, 1, beat.last);
    beats_move(port->master(), at, 1);
  }
  move_writes(at);
  issue_reads(at);
}

void SharedDram::issue_reads(Cycle at) {
  for (ReadPort* port : readers_) {
    if (port->issue_at() > at || !model_.takes_read(port->master())) continue;
    const DramRequest request = port->issue(at);
    model_.read(port->master(), request.address, request.beats);
  }
}

void SharedDram::move_writes(Cycle at) {
  for (Writer& writer : writers_) {
    WritePort& port = *writer.port;
    const bool issues = write_issue_at(writer) <= at && model_.takes_write(port.master());
    if (model_.write_response(port.master()).valid) {
      writer.answer_cycles[writer.answered++ % port.bursts()] = last_cycle_ = at;
      port.answered(at);
    }
    if (model_.takes_beat(port.master()) && port.beats.has_front() && port.beats.front_at() <= at) {
      model_.write_beat(port.master(), 0);
      port.beat_goes(at);
      beats_move(port.master(), at, 1);
      if (--writer.beats_left.front() == 0) {
        writer.sent_cycles[writer.sent++ % port.bursts()] = at;
        writer.beats_left.erase(writer.beats_left.begin());
      }
    }
    if (!issues) continue;
    const DramRequest request = port.requests.pop(at);
    writer.last_issue = at;
    ++writer.issued;
    writer.beats_left.push_back(request.beats);
    model_.write(port.master(), request.address, request.beats);
  }
}

}  // namespace vta::network
