// SPDX-License-Identifier: Apache-2.0
#include "sim/process_network/uncontended_dram.h"

#include <algorithm>

#include "base/errors/error.h"

namespace vta::process_network {

using sim::BurstId;
using sim::Direction;

UncontendedDram::UncontendedDram(ProcessNetwork& network, const MemoryConfig& config)
    : config_(config),
      delays_(config),
      network_(network),
      read_free_(config.num_ports(), 0),
      readers_of_(config.num_ports(), 0) {
  network.add(*this);
}

// True if each channel can move a beat in every cycle from the bandwidth of that cycle alone.
bool UncontendedDram::fits(const MemoryConfig& config) {
  const uint64_t channels = 2 * uint64_t{config.num_ports()};
  return config.bytes_per_100_cycles >= channels * kBeatBytes * 100 &&
         channels <= DramModel::kMaxBurstBeats;
}

void UncontendedDram::add(ReadPort& port, MemoryMaster master) {
  port.connect(*this, master);
  place_of_[static_cast<size_t>(master)] = readers_.size();
  readers_.push_back({&port, channel_of(master)});
  ++readers_of_[channel_of(master)];
}

void UncontendedDram::add(WritePort& port, MemoryMaster master) {
  port.connect(*this, master);
  place_of_[static_cast<size_t>(master)] = writers_.size();
  writers_.push_back({&port});
}

// --- Reads ---

void UncontendedDram::read_may_issue(ReadPort& port) {
  consider(readers_[place_of_[static_cast<size_t>(port.master())]]);
}

void UncontendedDram::consider(Reader& reader) {
  const Cycle at = reader.port->issue_at();
  reader.issue = at == kNever ? kNever : std::max(at, reader.free_from);
  if (readers_of_[reader.channel] > 1) return find_next();
  if (reader.issue != kNever) issue(reader);
}

void UncontendedDram::find_next() {
  next_event_ = kNever;
  for (size_t i = 0; i < readers_.size(); ++i) {
    if (readers_[i].issue >= next_event_) continue;
    next_event_ = readers_[i].issue;
    next_reader_ = i;
  }
  if (next_event_ != kNever) network_.expect(next_event_ + 1);
}

void UncontendedDram::handle_events() {
  do issue(readers_[next_reader_]);
  while (next_event_ < network_.known_to());
}

void UncontendedDram::issue(Reader& reader) {
  ReadPort& port = *reader.port;
  const Cycle at = reader.issue;
  const DramRequest request = port.issue(at);
  const BurstId id = {port.master(), Direction::kRead, reader.count++};
  Cycle& channel = read_free_[reader.channel];
  Cycle beat = std::max(channel, at + config_.read_latency_cycles + delays_.latency(id));
  for (uint32_t done = 0; done < request.beats;) {
    // Up to the next pause.
    uint32_t count = config_.pause_percent == 0 ? request.beats : 1;
    uint64_t pause = 0;
    while (done + count < request.beats && (pause = pause_after(id, done + count - 1)) == 0)
      ++count;
    done += count;
    port.beats_arrive(beat, count, done == request.beats);
    count_moved(port.master(), beat, count);
    channel = beat + count;
    beat = channel + pause;
  }
  last_cycle_ = std::max(last_cycle_, channel - 1);
  reader.free_from = at + 1 + delays_.request_gap(id);
  port.take_planned();
  consider(reader);
}

// --- Writes ---

void UncontendedDram::write_may_move(WritePort& port) {
  Writer& writer = writers_[place_of_[static_cast<size_t>(port.master())]];
  while (issue_write(writer) || send_beat(writer)) {
  }
}

bool UncontendedDram::issue_write(Writer& writer) {
  WritePort& port = *writer.port;
  Cycle at = port.issue_at();
  if (at == kNever) return false;
  at = std::max(at, writer.free_from);
  const BurstId id = {port.master(), Direction::kWrite, writer.num_issued++};
  port.issue(at);
  writer.free_from = at + 1 + delays_.request_gap(id);
  return true;
}

bool UncontendedDram::send_beat(Writer& writer) {
  WritePort& port = *writer.port;
  if (!port.has_unsent_beats() || !port.beats.has_front()) return false;
  const BurstId id = {port.master(), Direction::kWrite, writer.num_sent};
  const Cycle at = std::max({port.beats.front_at(), port.issue_cycle() + 1, writer.beat_from});
  const bool is_last = port.send_beat(at);
  count_moved(port.master(), at, 1);
  if (!is_last) {
    writer.beat_from = at + 1 + pause_after(id, writer.beat++);
    return true;
  }
  writer.beat_from = at + 1;
  writer.beat = 0;
  ++writer.num_sent;
  writer.last_response =
      std::max(at + config_.write_latency_cycles + delays_.latency(id), writer.last_response + 1);
  last_cycle_ = std::max(last_cycle_, writer.last_response);
  port.respond(writer.last_response);
  return true;
}

}  // namespace vta::process_network
