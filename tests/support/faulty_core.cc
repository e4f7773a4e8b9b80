// SPDX-License-Identifier: Apache-2.0
#include "tests/support/faulty_core.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hw/isa/program_bytes.h"

namespace vta::support {
namespace {

bool transfers(const isa::Instruction& one, uint32_t opcode) {
  return one.opcode == opcode && one.x_size != 0 && one.y_size != 0;
}

sim::NativeRun timed_out() {
  sim::NativeRun run;
  run.timed_out = true;
  return run;
}

PortFaults of_loads(std::initializer_list<uint32_t> memories, const PortFaults::Spoil& spoil) {
  PortFaults faults;
  for (const uint32_t memory : memories) faults.loads[memory] = spoil;
  return faults;
}

PortFaults with(const std::function<void(PortFaults&)>& change) {
  PortFaults faults;
  change(faults);
  return faults;
}

}  // namespace

PortFaults::Spoil stuck_at_one(uint32_t line) {
  return [line](std::span<uint8_t> bytes) {
    for (size_t at = line / 8; at < bytes.size(); at += 8)
      bytes[at] |= static_cast<uint8_t>(1 << line % 8);
  };
}

void half_as_wide(std::span<uint8_t> bytes) {
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) std::memcpy(&bytes[at + 4], &bytes[at], 4);
}

FaultyCore::FaultyCore(const CoreConfig& core, PortFaults faults, sim::CoreRunner good)
    : core_(core), faults_(std::move(faults)), good_(std::move(good)) {}

std::vector<isa::Instruction> FaultyCore::decode(std::span<uint8_t> program) const {
  std::vector<isa::Instruction> stream;
  for (const isa::InstructionBits bits : isa::instructions_in(program))
    stream.push_back(isa::decode(bits, core_));
  return stream;
}

bool FaultyCore::hangs(const std::vector<isa::Instruction>& stream) const {
  return faults_.fetch_hangs || std::ranges::any_of(stream, [&](const isa::Instruction& one) {
           return (transfers(one, isa::kLoad) && faults_.hangs == one.memory) ||
                  (transfers(one, isa::kStore) && faults_.store_hangs);
         });
}

sim::NativeRun FaultyCore::run(uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count,
                               const Deadline& deadline) const {
  std::vector<uint8_t> seen(arena, arena + bytes);
  const std::span<uint8_t> program = std::span(seen).subspan(offset, count * size_t{16});
  const std::vector<isa::Instruction> stream = decode(program);
  if (hangs(stream)) return timed_out();
  bool loads_acc = false, multiplies = false;
  for (const isa::Instruction& one : stream) {
    if (one.opcode == isa::kGemm && one.reset == 0) multiplies = true;
    if (!transfers(one, isa::kLoad)) continue;
    loads_acc |= one.memory == isa::kAcc;
    spoil_load(seen, one);
  }
  if (faults_.fetch) faults_.fetch(program);
  sim::NativeRun result = good_(seen.data(), bytes, offset, count, deadline);
  for (const isa::Instruction& one : stream) {
    if (!transfers(one, isa::kStore)) continue;
    for (const std::span<uint8_t> stored : rows(seen, one)) {
      if (faults_.store) faults_.store(stored);
      if (faults_.computes_wrong && loads_acc && multiplies) stored[5] ^= 1;
      std::ranges::copy(stored, arena + (stored.data() - seen.data()));
    }
  }
  return result;
}

void FaultyCore::spoil_load(std::vector<uint8_t>& arena, const isa::Instruction& load) const {
  const auto spoil = faults_.loads.find(load.memory);
  for (const std::span<uint8_t> row : rows(arena, load)) {
    if (spoil != faults_.loads.end()) spoil->second(row);
    if (!faults_.spoils_long_loads || load.memory != isa::kWgt || load.x_size == 1) continue;
    for (uint8_t& byte : row.last(core_.wgt_elem_bytes())) byte ^= 0x55;
  }
}

std::vector<std::span<uint8_t>> FaultyCore::rows(std::vector<uint8_t>& arena,
                                                 const isa::Instruction& one) const {
  const size_t bytes = one.memory == isa::kUop   ? 4
                       : one.memory == isa::kWgt ? core_.wgt_elem_bytes()
                       : one.memory == isa::kInp ? core_.inp_elem_bytes()
                       : one.memory == isa::kAcc ? core_.acc_elem_bytes()
                                                 : core_.acc_elem_bytes() / 4;
  std::vector<std::span<uint8_t>> rows;
  for (uint32_t y = 0; y < one.y_size; ++y) {
    const size_t first = one.dram_base + size_t{y} * one.x_stride;
    rows.push_back(std::span(arena).subspan(first * bytes, one.x_size * bytes));
  }
  return rows;
}

const std::vector<PlantedFault>& planted_faults() {
  using isa::kAcc, isa::kAcc8Bit, isa::kInp, isa::kUop, isa::kWgt;
  static const std::vector<PlantedFault> all = {
      {"hp0-stuck", of_loads({kInp, kWgt}, stuck_at_one(11)), "data of HP0 (INP, WGT) is wrong"},
      {"hp1-reads-stuck", of_loads({kAcc, kAcc8Bit}, stuck_at_one(13)),
       "bit 13 of HP1's reads (ACC) is stuck"},
      {"hp1-writes-stuck", with([](PortFaults& faults) { faults.store = stuck_at_one(21); }),
       "bit 21 of HP1's writes (STORE) is stuck"},
      {"hp1-32-bits", of_loads({kAcc, kAcc8Bit}, half_as_wide),
       "HP1's reads (ACC) transfer 32 of 64 bits"},
      {"hp2-stuck", of_loads({kUop}, stuck_at_one(1)), "data of HP2 (micro-ops) is wrong"},
      {"hp3-stuck", with([](PortFaults& faults) { faults.fetch = stuck_at_one(1); }),
       "instructions are wrong at HP3"},
      {"hp0-lost", with([](PortFaults& faults) { faults.hangs = kInp; }), "no response at HP0"},
      {"hp1-reads-lost", with([](PortFaults& faults) { faults.hangs = kAcc8Bit; }),
       "no response at HP1"},
      {"hp1-writes-lost", with([](PortFaults& faults) { faults.store_hangs = true; }),
       "no response at HP1"},
      {"hp2-lost", with([](PortFaults& faults) { faults.hangs = kUop; }), "no response at HP2"},
      {"hp3-lost", with([](PortFaults& faults) { faults.fetch_hangs = true; }),
       "no response at HP3"},
      {"computes-wrong", with([](PortFaults& faults) { faults.computes_wrong = true; }),
       "all ports transfer data as they should, but the core computes wrong values"},
  };
  return all;
}

}  // namespace vta::support
