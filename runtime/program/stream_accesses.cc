// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_accesses.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/errors/error.h"
#include "runtime/program/dram_address.h"

namespace vta {
namespace {

constexpr uint64_t kUopBytes = 4;

// Divides the address and the size of every transfer except that of micro-ops. Stores write whole
// granules, so a micro-op that overlaps one overlaps what is stored.
uint64_t granule_bytes(const CoreConfig& core) {
  uint64_t bytes = 0;
  for (const uint32_t memory : {isa::kWgt, isa::kInp, isa::kAcc, isa::kOut})
    bytes = std::gcd(bytes, uint64_t{dram_elem_bytes(memory, core)});
  return bytes;
}

// The offsets of a nest's loops in one operand. Returns false if one is beyond the depth.
bool add_loop_offsets(const isa::Instruction& nest, uint32_t out, uint32_t in,
                      ElementSet& offsets) {
  ElementSet rows(offsets.depth());
  bool inside = true;
  const uint32_t num_rows = out == 0 ? 1 : nest.iter_out, num_columns = in == 0 ? 1 : nest.iter_in;
  for (uint64_t i = 0; i < num_rows && inside; ++i) inside = rows.add_range(i * out, i * out + 1);
  bool fits = true;
  for (uint64_t j = 0; j < num_columns && fits; ++j) fits = offsets.add_shifted(rows, j * in);
  return inside && fits;
}

}  // namespace

StreamAccesses::StreamAccesses(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                               const StreamMemory& memory,
                               const StreamExecution::CheckTime& check_time, const DramSlice& slice)
    : core_(core),
      arena_(memory),
      slice_(slice),
      written_(granule_bytes(core)),
      inp_(core.inp_depth()),
      wgt_(core.wgt_depth()),
      acc_(core.acc_depth()),
      out_(core.acc_depth()),
      uop_(core.uop_depth()),
      uops_(core.uop_depth()),
      uop_is_unknown_(core.uop_depth(), true),
      uop_is_loaded_(core.uop_depth()),
      inp_set_(core.inp_depth()),
      wgt_set_(core.wgt_depth()),
      acc_set_(core.acc_depth()),
      source_set_(core.acc_depth()) {
  collect_stores(stream, check_time);
}

void StreamAccesses::collect_stores(std::span<const isa::InstructionBits> stream,
                                    const StreamExecution::CheckTime& check_time) {
  for (const isa::InstructionBits& bits : stream) {
    const isa::Instruction instruction = isa::decode(bits, core_);
    if (instruction.opcode == isa::kFinish) break;
    if (instruction.opcode != isa::kStore || isa::find_encoding_fault(bits, core_)) continue;
    // One that exceeds its memories writes nothing.
    if (isa::is_carrier(instruction) || !check_transfer(instruction)) continue;
    if (check_time) check_time();
    for_each_dram_row(instruction,
                      [&](uint64_t first, uint64_t last) { written_.add(first, last); });
  }
  fault_.clear();
  fault_index_.reset();
  written_count_ = written_.close();
  dram_ = AccessHistory(granules_of_slice());
}

uint64_t StreamAccesses::granules_of_slice() const {
  if (slice_.index > written_count_ / slice_.granules) return 0;
  return std::min(slice_.granules, written_count_ - slice_.index * slice_.granules);
}

bool StreamAccesses::has_later_slice() const {
  return slice_.index * slice_.granules + granules_of_slice() < written_count_;
}

void StreamAccesses::touch_dram(uint64_t first, uint64_t last, Access access) {
  written_.for_each(first, last, [&](uint64_t granule, uint64_t byte) {
    if (granule / slice_.granules != slice_.index) return;
    touch(dram_, "DRAM", granule % slice_.granules, byte, access);
  });
}

bool StreamAccesses::record(const ExecutedInstruction& executed) {
  current_ = executed;
  ++steps_;
  const isa::Instruction& i = executed.instruction;
  switch (i.opcode) {
    case isa::kLoad:
      return isa::is_carrier(i) || record_load(i);
    case isa::kStore:
      return isa::is_carrier(i) || record_store(i);
    case isa::kGemm:
    case isa::kAlu:
      return record_nest(i);
    default:
      return true;
  }
}

bool StreamAccesses::fails(std::string why) {
  if (!fault_index_) {
    fault_index_ = current_.index;
    fault_ = std::move(why);
  }
  return false;
}

template <typename Visit>
void StreamAccesses::for_each_dram_row(const isa::Instruction& transfer, Visit&& visit) const {
  const uint64_t elem = dram_elem_bytes(transfer.memory, core_);
  for (uint64_t y = 0; y < transfer.y_size; ++y) {
    const uint64_t first = (transfer.dram_base + y * transfer.x_stride) * elem;
    visit(first, first + transfer.x_size * elem);
  }
}

bool StreamAccesses::check_transfer(const isa::Instruction& transfer) {
  const uint64_t width = uint64_t{transfer.x_pad_0} + transfer.x_size + transfer.x_pad_1;
  const uint64_t end = transfer.sram_base +
                       width * (uint64_t{transfer.y_pad_0} + transfer.y_size + transfer.y_pad_1);
  const uint64_t depth = transfer.memory == isa::kUop   ? core_.uop_depth()
                         : transfer.memory == isa::kWgt ? core_.wgt_depth()
                         : transfer.memory == isa::kInp ? core_.inp_depth()
                                                        : core_.acc_depth();
  if (end > depth)
    return fails(
        fmt::format("scratchpad element {} is out of range: the limit is {}", end - 1, depth));
  if (transfer.y_size == 0) return true;  // only padding
  const uint64_t end_bytes = dram_end_bytes(transfer, core_);
  if (end_bytes > arena_.arena_bytes) {
    return fails(fmt::format("ends at DRAM byte {}, out of the arena of {} bytes", end_bytes,
                             arena_.arena_bytes));
  }
  return true;
}

bool StreamAccesses::record_load(const isa::Instruction& load) {
  if (!check_transfer(load)) return false;
  for_each_dram_row(load,
                    [&](uint64_t first, uint64_t last) { touch_dram(first, last, Access::kRead); });
  const uint64_t width = uint64_t{load.x_pad_0} + load.x_size + load.x_pad_1;
  const uint64_t end =
      load.sram_base + width * (uint64_t{load.y_pad_0} + load.y_size + load.y_pad_1);
  const bool accumulators = load.memory == isa::kAcc || load.memory == isa::kAcc8Bit;
  AccessHistory& memory = load.memory == isa::kUop   ? uop_
                          : load.memory == isa::kWgt ? wgt_
                          : load.memory == isa::kInp ? inp_
                                                     : acc_;
  const char* const name = load.memory == isa::kUop   ? "UOP"
                           : load.memory == isa::kWgt ? "WGT"
                           : load.memory == isa::kInp ? "INP"
                                                      : "ACC";
  for (uint64_t e = load.sram_base; e < end; ++e) {
    touch(memory, name, e, e, Access::kWrite);
    if (accumulators && !load.split) touch(out_, "OUT", e, e, Access::kWrite);
  }
  if (load.memory == isa::kUop) load_uops(load);
  return true;
}

void StreamAccesses::load_uops(const isa::Instruction& load) {
  uint32_t element = load.sram_base;
  for_each_dram_row(load, [&](uint64_t first, uint64_t last) {
    for (uint64_t byte = first; byte < last; byte += kUopBytes, ++element) {
      bool unknown = byte + kUopBytes > arena_.image.size();
      written_.for_each(byte, byte + kUopBytes, [&](size_t, uint64_t) { unknown = true; });
      uop_is_unknown_[element] = unknown;
      uop_is_loaded_[element] = true;
      if (unknown) continue;
      uint32_t word;
      std::memcpy(&word, &arena_.image[byte], sizeof word);
      uops_[element] = isa::decode_uop(word, core_);
    }
  });
}

bool StreamAccesses::record_store(const isa::Instruction& store) {
  if (!check_transfer(store)) return false;
  for (uint64_t e = 0; e < uint64_t{store.x_size} * store.y_size; ++e)
    touch(out_, "OUT", store.sram_base + e, store.sram_base + e, Access::kRead);
  for_each_dram_row(store, [&](uint64_t first, uint64_t last) {
    check_program_bytes(first, last);
    touch_dram(first, last, Access::kWrite);
  });
  return true;
}

// Fetch reads ahead, so nothing orders a store to an instruction with its fetch.
void StreamAccesses::check_program_bytes(uint64_t first, uint64_t last) {
  const uint64_t byte = std::max(first, arena_.program_begin);
  if (race_ || byte >= std::min(last, arena_.program_end)) return;
  const auto overwritten =
      static_cast<uint32_t>((byte - arena_.program_begin) / isa::kInstructionBytes);
  note_race(overwritten, "DRAM", byte);
}

bool StreamAccesses::record_nest(const isa::Instruction& nest) {
  if (nest.uop_bgn > nest.uop_end || nest.uop_end > uops_.size()) {
    return fails(fmt::format("micro-ops [{}, {}) are out of range: the limit is {}", nest.uop_bgn,
                             nest.uop_end, uops_.size()));
  }
  if (nest.iter_out == 0 || nest.iter_in == 0) return true;
  for (uint32_t u = nest.uop_bgn; u < nest.uop_end; ++u) touch(uop_, "UOP", u, u, Access::kRead);
  return !knows_uops(nest) || record_operands(nest);
}

bool StreamAccesses::knows_uops(const isa::Instruction& nest) {
  bool knows_all = true;
  for (uint32_t u = nest.uop_bgn; u < nest.uop_end; ++u) {
    if (!uop_is_unknown_[u]) continue;
    if (!uop_is_loaded_[u] && !unloaded_) unloaded_ = UnloadedUop{current_.index, u};
    if (!unknown_index_) unknown_index_ = current_.index;
    knows_all = false;
  }
  return knows_all;
}

// Whether the source of an operation with an immediate is its destination.
bool StreamAccesses::has_own_source(const isa::Instruction& alu) const {
  if (alu.iter_out > 1 && alu.src_factor_out != alu.dst_factor_out) return false;
  if (alu.iter_in > 1 && alu.src_factor_in != alu.dst_factor_in) return false;
  for (uint32_t u = alu.uop_bgn; u < alu.uop_end; ++u) {
    if (uops_[u].src != uops_[u].dst) return false;
  }
  return true;
}

bool StreamAccesses::record_operands(const isa::Instruction& nest) {
  const bool gemm = nest.opcode == isa::kGemm;
  const Factors source{nest.src_factor_out, nest.src_factor_in};
  bool inside = true;
  if (gemm && (!nest.reset || nest.split)) {
    inside &= record_operand(nest, &isa::Uop::src, source, inp_, "INP", inp_set_);
    inside &= record_operand(nest, &isa::Uop::wgt, {nest.wgt_factor_out, nest.wgt_factor_in}, wgt_,
                             "WGT", wgt_set_);
  }
  if (!gemm && nest.use_imm && !foreign_source_index_ && !has_own_source(nest))
    foreign_source_index_ = current_.index;
  if (!gemm && !nest.use_imm)
    inside &= record_operand(nest, &isa::Uop::src, source, acc_, "ACC", source_set_);
  // Every operation writes what it reads there, except for a reset.
  inside &= record_operand(nest, &isa::Uop::dst, {nest.dst_factor_out, nest.dst_factor_in}, acc_,
                           "ACC", acc_set_);
  touch_all(acc_, "ACC", acc_set_, Access::kWrite);
  if (!gemm || !nest.split) touch_all(out_, "OUT", acc_set_, Access::kWrite);
  return inside;
}

// Records the reads of one operand. A write conflicts with whatever a read conflicts with, so a
// destination may be recorded as read.
bool StreamAccesses::record_operand(const isa::Instruction& nest, uint32_t isa::Uop::* operand,
                                    Factors factors, AccessHistory& memory, const char* name,
                                    ElementSet& elements) {
  ElementSet offsets(elements.depth());
  bool inside = add_loop_offsets(nest, factors.out, factors.in, offsets);
  elements.clear();
  std::optional<uint32_t> last;
  for (uint32_t u = nest.uop_bgn; u < nest.uop_end; ++u) {
    const uint32_t base = uops_[u].*operand;
    if (base == last) continue;  // a reduction has many micro-ops with one destination
    inside &= elements.add_shifted(offsets, base);
    last = base;
  }
  touch_all(memory, name, elements, Access::kRead);
  if (inside || nest.uop_bgn == nest.uop_end) return true;
  return fails(
      fmt::format("an index of {} is out of range: the limit is {}", name, elements.depth()));
}

void StreamAccesses::note_race(uint32_t other, const char* name, uint64_t element) {
  race_step_ = steps_ - 1;
  race_ = Race{std::min(other, current_.index), std::max(other, current_.index), name, element};
}

void StreamAccesses::touch(AccessHistory& memory, const char* name, uint64_t element,
                           uint64_t reported, Access access) {
  const uint32_t conflict =
      access == Access::kRead
          ? memory.read(element, current_.stage, current_.index, current_.clock)
          : memory.write(element, current_.stage, current_.index, current_.clock);
  if (conflict != 0 && !race_) note_race(conflict - 1, name, reported);
}

void StreamAccesses::touch_all(AccessHistory& memory, const char* name, const ElementSet& elements,
                               Access access) {
  elements.for_each([&](uint32_t e) { touch(memory, name, e, e, access); });
}

}  // namespace vta
