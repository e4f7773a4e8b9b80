// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/verilog_bench.h"

#include <cstring>

#include "base/errors/error.h"
#include "hw/hls/burst.h"

namespace vta::kernels {

VerilogBench::VerilogBench(KernelModel& model, const Trial& trial, uint64_t seed, int pace)
    : model_(model), random_(seed), pace_(pace) {
  for (const auto& [name, pins] : model.inputs) {
    End& end = inputs_[name];
    end.pins = pins;
    end.gaps = Gaps(seed, pace, name);
    end.due_cycle = end.gaps.next();
    if (const auto found = trial.inputs.find(name); found != trial.inputs.end())
      end.items.assign(found->second.begin(), found->second.end());
  }
  for (const auto& [name, pins] : model.outputs) {
    End& end = outputs_[name];
    end.pins = pins;
    end.gaps = Gaps(seed, pace, name);
    end.due_cycle = end.gaps.next();
    end.taken = &outcome_.outputs[name];
  }
  for (const auto& [name, pins] : model.read_requests) read_requests_[name].pins = pins;
  for (const auto& [name, pins] : model.read_beats) read_beats_[name].pins = pins;
  for (const auto& [name, pins] : model.write_requests) write_requests_[name].pins = pins;
  for (const auto& [name, pins] : model.write_beats) write_beats_[name].pins = pins;
  for (const auto& [name, value] : trial.constants) {
    if (const auto found = model.constants.find(name); found != model.constants.end())
      std::memcpy(found->second.data, value.data(), value.size());
  }
  outcome_.dram = trial.dram_before;
}

void VerilogBench::open(End& end, bool possible) {
  end.open = possible && (end.open || chance());
  *end.pins.blocked = end.open ? 0 : 1;
}

void VerilogBench::open_in_time(End& end, bool possible) {
  end.open = possible && cycle_ >= end.due_cycle;
  *end.pins.blocked = end.open ? 0 : 1;
}

void VerilogBench::move(const std::string& name, End& end) {
  end.open = false;
  end.due_cycle = cycle_ + 1 + end.gaps.next();
  moves_[name].push_back(cycle_);
  idle_cycles_ = 0;
}

void VerilogBench::set(const StreamPins& pins, const Item& item) {
  if (pins.data != nullptr) std::memcpy(pins.data, item.data(), (pins.width + 7) / 8);
}

Item VerilogBench::get(const StreamPins& pins) const {
  Item item((pins.width + 7) / 8);
  if (pins.data != nullptr) std::memcpy(item.data(), pins.data, item.size());
  return item;
}

void VerilogBench::drive() {
  for (auto& [name, end] : inputs_) {
    open_in_time(end, !end.items.empty());
    Item item((end.pins.width + 7) / 8);
    for (uint8_t& byte : item) byte = static_cast<uint8_t>(random_.next());  // while it is empty
    set(end.pins, end.open ? end.items.front() : item);
  }
  for (auto& [name, end] : outputs_) open_in_time(end, true);
  drive_memory();
}

void VerilogBench::drive_memory() {
  for (auto& [name, end] : read_requests_) open(end, true);
  for (auto& [name, end] : write_requests_) open(end, true);
  for (auto& [name, end] : write_beats_) open(end, true);
  for (auto& [name, end] : read_beats_) {
    std::deque<Burst>& bursts = reads_[name];
    open(end, !bursts.empty());
    if (!end.open) continue;
    VTA_ASSERT(bursts.front().address + 8 <= outcome_.dram.size(), "a burst beyond DRAM");
    std::memcpy(end.pins.data, outcome_.dram.data() + bursts.front().address, 8);
  }
  for (auto& [name, idle] : model_.idles) {
    if (unanswered_[name] > 0 && writes_[name].empty() && chance()) unanswered_[name] = 0;
    *idle = unanswered_[name] == 0 ? 1 : 0;
  }
}

VerilogBench::Burst VerilogBench::burst(const Item& request) {
  uint64_t bits = 0;
  std::memcpy(&bits, request.data(), 6);
  const Burst burst{static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
  VTA_ASSERT(hls::is_burst(burst.address, burst.beats), "not a legal AXI burst");
  return burst;
}

void VerilogBench::sample() {
  ++idle_cycles_;
  for (auto& [name, end] : inputs_) {
    if (*end.pins.moves == 0) continue;
    VTA_ASSERT(end.open, "a pop from an empty stream");
    end.items.pop_front();
    move(name, end);
  }
  for (auto& [name, end] : outputs_) {
    if (*end.pins.moves == 0) continue;
    VTA_ASSERT(end.open, "a push into a full stream");
    end.taken->push_back(get(end.pins));
    move(name, end);
  }
  sample_memory();
  ++cycle_;
}

void VerilogBench::sample_memory() {
  const auto moved = [&](End& end) {
    if (*end.pins.moves == 0) return false;
    VTA_ASSERT(end.open, "a move at a port that is not ready");
    end.open = false;
    idle_cycles_ = 0;
    return true;
  };
  for (auto& [name, end] : read_beats_) {
    if (!moved(end)) continue;
    Burst& front = reads_[name].front();
    front.address += 8;
    if (--front.beats == 0) reads_[name].pop_front();
  }
  for (auto& [name, end] : read_requests_) {
    if (moved(end)) reads_[name].push_back(burst(get(end.pins)));
  }
  for (auto& [name, end] : write_requests_) {
    if (!moved(end)) continue;
    writes_[name].push_back(burst(get(end.pins)));
    ++unanswered_[name];
  }
  for (auto& [name, end] : write_beats_) {
    if (!moved(end)) continue;
    VTA_ASSERT(!writes_[name].empty(), "a beat without a request");
    Burst& front = writes_[name].front();
    VTA_ASSERT(front.address + 8 <= outcome_.dram.size(), "a burst beyond DRAM");
    std::memcpy(outcome_.dram.data() + front.address, get(end.pins).data(), 8);
    front.address += 8;
    if (--front.beats == 0) writes_[name].pop_front();
  }
}

}  // namespace vta::kernels
