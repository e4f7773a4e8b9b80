// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/stream_builder.h"

#include <algorithm>

#include "base/errors/error.h"
#include "configs/core_timing.h"
#include "runtime/program/stream_counts.h"

namespace vta::lower {
namespace {

// Estimates of time, which only choose the places of carriers: a memory's latency and width, and
// the latency of a pipeline.
constexpr uint64_t kMemoryLatencyCycles = 60;
constexpr uint64_t kPipelineCycles = 16;

bool is_memory(const isa::Instruction& i) {
  return i.opcode == isa::kLoad || i.opcode == isa::kStore;
}

void join(StreamHazards::Latest& clock, const StreamHazards::Latest& other) {
  for (int stage = 0; stage < kStages; ++stage) clock[stage] = std::max(clock[stage], other[stage]);
}

}  // namespace

StreamBuilder::StreamBuilder(const CoreConfig& core, bool split, const ArenaImage& image)
    : core_(core), split_(split), hazards_(std::in_place, core, image) {
  VTA_ASSERT(!split || core.extension, "split instructions need the extension");
}

void StreamBuilder::begin_layer() {
  layers_.push_back(layers_.empty() ? 0 : static_cast<InstructionIndex>(entries_.size()));
}

void StreamBuilder::load_uops_first() {
  VTA_ASSERT(entries_.empty(), "the LOAD is the first instruction");
  isa::Instruction load;
  load.opcode = isa::kLoad;
  load.memory = isa::kUop;
  append(load, std::nullopt);
}

void StreamBuilder::add_first_uops(const std::vector<uint32_t>& words) {
  VTA_ASSERT(!entries_.empty() && entries_.front().instruction.memory == isa::kUop,
             "load_uops_first() was called");
  const auto first = static_cast<uint32_t>(first_uops_.size());
  hazards_.value().record_first_uops(0, entries_.front().stage, first, words);
  first_uops_.insert(first_uops_.end(), words.begin(), words.end());
}

uint64_t StreamBuilder::wait_for_stores(const isa::Instruction& load, DramAddress address) {
  const uint32_t store = hazards_.value().last_store(load, address);
  if (store == 0) return 0;
  const uint64_t ready = entries_[store - 1].end, free = free_at_[0];
  return ready > free ? ready - free : 0;
}

void StreamBuilder::end() {
  append_finish();
  hazards_.reset();
}

void StreamBuilder::end(DramAddress first_uops) {
  isa::Instruction& load = entries_.front().instruction;
  load.y_size = 1;
  load.x_size = load.x_stride = static_cast<uint32_t>(first_uops_.size());
  entries_.front().address = first_uops;
  end();
}

void StreamBuilder::add(const isa::Instruction& instruction) {
  VTA_ASSERT(!is_memory(instruction), "a LOAD or STORE has an address");
  append(instruction, std::nullopt);
}

void StreamBuilder::add(const isa::Instruction& instruction, DramAddress address) {
  VTA_ASSERT(is_memory(instruction), "only LOAD and STORE have an address");
  append(instruction, address);
}

// Stages are numbered in pipeline order, so that adjacent ones differ by one.
int StreamBuilder::stage_of(const isa::Instruction& instruction) const {
  if (instruction.opcode == isa::kFinish) return last_stage() - 1;  // VTA's compute, next to store
  switch (isa::stage_of(instruction)) {
    case isa::Stage::kLoad:
      return 0;
    case isa::Stage::kGemm:
      return 1;
    case isa::Stage::kAlu:
      return split_ ? 2 : 1;
    case isa::Stage::kStore:
      return last_stage();
  }
  return 0;
}

isa::Instruction StreamBuilder::carrier(int stage) const {
  isa::Instruction i;
  i.opcode = stage == last_stage() ? isa::kStore : isa::kLoad;
  if (stage == 0) i.memory = isa::kInp;
  if (stage == 1) i.memory = isa::kUop;
  if (stage == 2) i.memory = isa::kAcc;
  if (i.opcode == isa::kStore) i.memory = isa::kOut;
  i.split = split_ && stage != 0 && stage != last_stage();
  return i;
}

void StreamBuilder::append(isa::Instruction instruction, std::optional<DramAddress> address) {
  const int own = stage_of(instruction);
  instruction.split = split_ && own != 0 && own != last_stage();
  const auto index = static_cast<InstructionIndex>(entries_.size());
  const Clock needed = hazards_.value().record(index, own, instruction, address);
  entries_.push_back({instruction, address, own, free_at_[own], 0, clocks_[own], {}});
  // The nearest stages first: what they have waited for makes other waits redundant.
  for (int distance = 1; distance < kStages; ++distance) {
    for (const int from : {own - distance, own + distance}) {
      if (from < 0 || from > last_stage() || needed[from] <= entries_[index].clock[from]) continue;
      InstructionIndex producer = needed[from] - 1;
      const int step = from < own ? 1 : -1;
      for (int stage = from + step; stage != own; stage += step)
        producer = insert_carrier(stage, producer);
      wait(entries_[index], producer);
    }
  }
  Entry& entry = entries_[index];
  const uint64_t busy = busy_cycles(instruction);
  free_at_[own] = entry.start + busy;
  entry.end = free_at_[own] + (is_memory(instruction) ? kMemoryLatencyCycles : kPipelineCycles);
  entry.clock[own] = index + 1;
  clocks_[own] = entry.clock;
  order_.push_back(index);
}

// Other implementations of VTA are done when FINISH has executed, whatever still runs.
void StreamBuilder::append_finish() {
  isa::Instruction finish;
  finish.opcode = isa::kFinish;
  const int own = stage_of(finish), store = last_stage();
  Entry entry{finish, std::nullopt, own, free_at_[own], free_at_[own], clocks_[own], {}};
  const uint32_t last_store = clocks_[store][store];
  if (last_store > entry.clock[store]) wait(entry, last_store - 1);
  order_.push_back(static_cast<InstructionIndex>(entries_.size()));
  entries_.push_back(std::move(entry));
}

void StreamBuilder::wait(Entry& entry, InstructionIndex producer) {
  const Entry& from = entries_[producer];
  entry.after.push_back(producer);
  entry.start = std::max(entry.start, from.end);
  join(entry.clock, from.clock);
}

// Inserts a carrier after `producer`, which is in an adjacent stage, at the earliest point at which
// no later instruction of the carrier's queue is estimated to wait for the producer.
StreamBuilder::InstructionIndex StreamBuilder::insert_carrier(int stage,
                                                              InstructionIndex producer) {
  const uint64_t ready = entries_[producer].end;
  auto place = order_.end();
  for (; place != order_.begin(); --place) {
    const InstructionIndex before = *(place - 1);
    if (before == producer) break;
    if (entries_[before].stage == stage && entries_[before].start < ready) break;
  }
  const auto index = static_cast<InstructionIndex>(entries_.size());
  Entry entry{carrier(stage), std::nullopt, stage, ready, ready + 1, {}, {producer}};
  entry.clock = entries_[producer].clock;
  entries_.push_back(std::move(entry));
  join(clocks_[stage], entries_[producer].clock);  // all later instructions of the queue follow it
  order_.insert(place, index);
  return index;
}

uint64_t StreamBuilder::busy_cycles(const isa::Instruction& i) const {
  if (is_memory(i)) return transfer_bytes(i, core_) / kBeatBytes;
  // The ALU reads a second operand in a cycle of its own, unless it is that of the micro-op before.
  const bool reads_twice = i.opcode == isa::kAlu && i.use_imm == 0 && i.src_factor_in != 0;
  return num_micro_ops(i) * (reads_twice ? 2 : 1);
}

hw::Counters StreamBuilder::counts(size_t layer) const {
  hw::Counters counters;
  const size_t end = layer + 1 < layers_.size() ? layers_[layer + 1] : entries_.size();
  for (size_t index = layers_[layer]; index < end; ++index)
    add_counts(entries_[index].instruction, core_, counters);
  return counters;
}

// The instructions in the stream's order, with their token flags.
std::vector<isa::Instruction> StreamBuilder::with_tokens() const {
  std::vector<uint32_t> position(entries_.size());
  for (uint32_t i = 0; i < order_.size(); ++i) position[order_[i]] = i;
  std::vector<isa::Instruction> stream;
  stream.reserve(order_.size());
  for (InstructionIndex index : order_) stream.push_back(entries_[index].instruction);
  // By producing and consuming stage: the latest producer that has been waited for, as position
  // + 1.
  std::array<std::array<uint32_t, kStages>, kStages> waited{};
  for (uint32_t to = 0; to < order_.size(); ++to) {
    const Entry& consumer = entries_[order_[to]];
    std::array<uint32_t, kStages> latest{};
    for (InstructionIndex producer : consumer.after) {
      uint32_t& of_stage = latest[entries_[producer].stage];
      of_stage = std::max(of_stage, position[producer] + 1);
    }
    for (int stage = 0; stage < kStages; ++stage) {
      if (latest[stage] <= waited[stage][consumer.stage]) continue;  // none, or implied
      waited[stage][consumer.stage] = latest[stage];
      isa::Instruction& from = stream[latest[stage] - 1];
      VTA_ASSERT(latest[stage] <= to, "a producer precedes its consumer");
      (stage < consumer.stage ? from.push_next : from.push_prev) = 1;
      (stage < consumer.stage ? stream[to].pop_prev : stream[to].pop_next) = 1;
    }
  }
  return stream;
}

bool StreamBuilder::fits_token_queues() const {
  std::array<std::array<uint32_t, 2>, kStages + 1> tokens{};  // between stages s-1 and s, each way
  for (const isa::Instruction& i : with_tokens()) {
    const auto stage = static_cast<size_t>(stage_of(i));
    auto& prev = tokens[stage];
    auto& next = tokens[stage + 1];
    prev[0] -= i.pop_prev;
    next[1] -= i.pop_next;
    prev[1] += i.push_prev;
    next[0] += i.push_next;
    if (std::max(prev[1], next[0]) > core_.token_queue_depth) return false;
  }
  return true;
}

BuiltStream StreamBuilder::finish(uint64_t activations_offset_bytes) const {
  VTA_ASSERT(!hazards_, "the stream has ended");
  VTA_ASSERT(fits_token_queues(), "the caller checks the tokens of several layers");
  std::vector<isa::Instruction> stream = with_tokens();
  BuiltStream built;
  built.instructions.reserve(stream.size());
  for (size_t position = 0; position < stream.size(); ++position) {
    isa::Instruction& i = stream[position];
    if (const auto& address = entries_[order_[position]].address) {
      const bool moves = address->area == DramAddress::Area::kActivations;
      const uint64_t bytes = address->offset_bytes + (moves ? activations_offset_bytes : 0);
      const uint32_t elem_bytes = dram_elem_bytes(i.memory, core_);
      VTA_ASSERT(bytes % elem_bytes == 0, "DRAM addresses are multiples of the element");
      if (bytes / elem_bytes > UINT32_MAX) {
        fail(ErrorCode::kUnsupported, "an arena of {} bytes exceeds dram_base's 32 bits", bytes);
      }
      i.dram_base = static_cast<uint32_t>(bytes / elem_bytes);
    }
    built.instructions.push_back(isa::encode(i, core_));
  }
  built.layer_ends = layer_ends();
  return built;
}

// A layer ends with its last instruction that is not a carrier, in the stream's order.
std::vector<uint32_t> StreamBuilder::layer_ends() const {
  std::vector<uint32_t> ends(layers_.size());
  for (uint32_t position = 0; position < order_.size(); ++position) {
    const auto next = std::ranges::upper_bound(layers_, order_[position]);
    if (next != layers_.begin()) ends[next - layers_.begin() - 1] = position + 1;
  }
  return ends;
}

}  // namespace vta::lower
