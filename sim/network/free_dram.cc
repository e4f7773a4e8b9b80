// SPDX-License-Identifier: Apache-2.0
#include "sim/network/free_dram.h"

#include <algorithm>

#include "runtime/base/error.h"

namespace vta::network {

using sim::BurstId;
using sim::Direction;

FreeDram::FreeDram(Network& network, const MemoryConfig& config)
    : config_(config),
      delays_(config),
      network_(network),
      read_free_(config.num_ports(), 0),
      readers_of_(config.num_ports(), 0) {
  network.add(*this);
}

// Each channel can move a beat in every cycle, from what the cycle itself adds to the budget.
bool FreeDram::fits(const MemoryConfig& config) {
  const uint64_t channels = 2 * uint64_t{config.num_ports()};
  return config.bytes_per_100_cycles >= channels * DramModel::kBeatBytes * 100 &&
         channels <= DramModel::kMaxBurstBeats;
}

void FreeDram::add(ReadPort& port, MemoryMaster master) {
  port.connect(*this, master);
  place_of_[static_cast<size_t>(master)] = readers_.size();
  readers_.push_back({&port});
  ++readers_of_[config_.port[static_cast<size_t>(master)]];
}

void FreeDram::add(WritePort& port, MemoryMaster master) {
  port.connect(*this, master);
  Writer& writer = writers_.emplace_back();
  writer.port = &port;
  writer.begins.resize(port.bursts());
  writer.sent.resize(port.bursts());
  writer.answers.resize(port.bursts());
}

// --- Reads ---

void FreeDram::read_may_issue(ReadPort& port) {
  Reader& reader = readers_[place_of_[static_cast<size_t>(port.master())]];
  const Cycle at = port.issue_at();
  reader.issue = at == kNever ? kNever : std::max(at, reader.free_from);
  if (reader.issue == kNever) return;
  if (readers_of_[config_.port[static_cast<size_t>(port.master())]] == 1) return issue(reader);
  find_next();
}

void FreeDram::find_next() {
  next_event_ = kNever;
  for (size_t i = 0; i < readers_.size(); ++i) {
    if (readers_[i].issue >= next_event_) continue;
    next_event_ = readers_[i].issue;
    next_reader_ = i;
  }
  if (next_event_ != kNever) network_.expect(next_event_ + 1);
}

void FreeDram::happen() {
  do issue(readers_[next_reader_]);
  while (next_event_ < network_.known_to());
}

void FreeDram::issue(Reader& reader) {
  ReadPort& port = *reader.port;
  const Cycle at = reader.issue;
  const DramRequest request = port.issue(at);
  const BurstId id = {port.master(), Direction::kRead, reader.count++};
  Cycle& channel = read_free_[config_.port[static_cast<size_t>(port.master())]];
  Cycle beat = std::max(channel, at + config_.read_latency_cycles + delays_.latency(id));
  for (uint32_t done = 0; done < request.beats;) {
    uint32_t count = 1;  // up to the next pause
    uint64_t pause = 0;
    while (done + count < request.beats && (pause = pause_behind(id, done + count - 1)) == 0)
      ++count;
    done += count;
    port.beats_come(beat, count, done == request.beats);
    beats_move(port.master(), beat, count);
    channel = beat + count;
    beat = channel + pause;
  }
  last_cycle_ = std::max(last_cycle_, channel - 1);
  reader.free_from = at + 1 + delays_.request_gap(id);
  const Cycle next = port.issue_at();
  reader.issue = next == kNever ? kNever : std::max(next, reader.free_from);
  if (readers_of_[config_.port[static_cast<size_t>(port.master())]] == 1) {
    if (reader.issue != kNever) issue(reader);
  } else {
    find_next();
  }
}

// --- Writes ---

void FreeDram::write_may_move(WritePort& port) {
  const auto found = std::find_if(writers_.begin(), writers_.end(),
                                  [&](const Writer& writer) { return writer.port == &port; });
  while (issue_write(*found) || send_beat(*found)) {
  }
}

bool FreeDram::issue_write(Writer& writer) {
  WritePort& port = *writer.port;
  if (!port.requests.has_front()) return false;
  Cycle at = std::max({port.requests.front_at(), writer.last_issue + 1, writer.free_from});
  const uint64_t most = port.bursts();
  if (writer.count >= most) {  // the list of lengths has room, and not too many wait for answers
    if (writer.num_answers + most <= writer.count) return false;
    const uint64_t i = writer.count % most;
    at = std::max({at, writer.sent[i] + 1, writer.answers[i] + 1});
  }
  const BurstId id = {port.master(), Direction::kWrite, writer.count};
  writer.begins[writer.count++ % most] = at;
  writer.under_way.push_back(port.requests.pop(at));
  writer.last_issue = at;
  writer.free_from = at + 1 + delays_.request_gap(id);
  return true;
}

bool FreeDram::send_beat(Writer& writer) {
  WritePort& port = *writer.port;
  if (writer.under_way.empty() || !port.beats.has_front()) return false;
  const uint64_t i = writer.num_sent % port.bursts();
  const BurstId id = {port.master(), Direction::kWrite, writer.num_sent};
  const Cycle at = std::max({port.beats.front_at(), writer.begins[i] + 1, writer.beat_from});
  port.beat_goes(at);
  beats_move(port.master(), at, 1);
  if (++writer.beat < writer.under_way.front().beats) {
    writer.beat_from = at + 1 + pause_behind(id, writer.beat - 1);
    return true;
  }
  writer.beat_from = at + 1;
  writer.beat = 0;
  writer.under_way.pop_front();
  writer.sent[i] = at;
  ++writer.num_sent;
  const Cycle answer =
      std::max(at + config_.write_latency_cycles + delays_.latency(id), writer.last_answer + 1);
  writer.answers[i] = writer.last_answer = answer;
  ++writer.num_answers;
  last_cycle_ = std::max(last_cycle_, answer);
  port.answered(answer);
  return true;
}

}  // namespace vta::network
