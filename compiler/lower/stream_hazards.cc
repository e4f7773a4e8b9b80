// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/stream_hazards.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/errors/error.h"
#include "runtime/program/element_set.h"

namespace vta::lower {
namespace {

// Calls visit(offset) for the offsets that a GEMM's or ALU's loops add to one index. A loop whose
// factor is 0 repeats the same element.
template <typename Visit>
void for_each_offset(const isa::Instruction& i, uint32_t factor_out, uint32_t factor_in,
                     Visit&& visit) {
  const uint32_t rows = factor_out == 0 ? std::min(i.iter_out, 1u) : i.iter_out;
  const uint32_t columns = factor_in == 0 ? std::min(i.iter_in, 1u) : i.iter_in;
  if (i.iter_out == 0 || i.iter_in == 0) return;
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column)
      visit(row * factor_out + column * factor_in);
  }
}

}  // namespace

StreamHazards::StreamHazards(const CoreConfig& core, const ArenaImage& image)
    : core_(core),
      image_(image),
      granule_bytes_(std::gcd(core.inp_elem_bytes(), core.out_elem_bytes())),
      inp_(core.inp_depth()),
      wgt_(core.wgt_depth()),
      acc_(core.acc_depth()),
      out_(core.acc_depth()),
      uop_(core.uop_depth()),
      uops_(core.uop_depth()) {}

StreamHazards::Latest StreamHazards::record(uint32_t index, int stage,
                                            const isa::Instruction& instruction,
                                            const std::optional<DramAddress>& address) {
  index_ = index;
  stage_ = stage;
  conflicts_ = {};
  switch (instruction.opcode) {
    case isa::kLoad:
      if (address) record_load(instruction, *address);
      break;
    case isa::kStore:
      if (address) record_store(instruction, *address);
      break;
    case isa::kGemm:
      record_gemm(instruction);
      break;
    case isa::kAlu:
      record_alu(instruction);
      break;
    default:
      break;
  }
  return conflicts_;
}

void StreamHazards::record_first_uops(uint32_t index, int stage, uint32_t first,
                                      const std::vector<uint32_t>& words) {
  for (uint32_t i = 0; i < words.size(); ++i) {
    Element& element = uop_.at(first + i);
    VTA_ASSERT(element.writer == 0, "no kernel was here before");
    element.writer = index + 1;
    element.writer_stage = stage;
    uops_[first + i] = isa::decode_uop(words[i], core_);
  }
}

void StreamHazards::record_acc_reads(uint32_t first, uint32_t count) {
  for (uint32_t e = first; e < first + count; ++e) acc_.at(e).readers[stage_] = index_ + 1;
}

uint32_t StreamHazards::last_store(const isa::Instruction& load, const DramAddress& address) {
  uint32_t latest = 0;
  for_each_granule(load, address,
                   [&](const Element& granule) { latest = std::max(latest, granule.writer); });
  return latest;
}

uint32_t StreamHazards::last_access(isa::MemoryId memory, uint32_t first, uint32_t count) const {
  VTA_ASSERT(memory == isa::kInp || memory == isa::kWgt, "memories of the load stage");
  const Memory& elements = memory == isa::kInp ? inp_ : wgt_;
  uint32_t latest = 0;
  for (uint32_t e = first; e < first + count; ++e) {
    latest = std::max({latest, elements.at(e).writer, std::ranges::max(elements[e].readers)});
  }
  return latest;
}

void StreamHazards::read(Element& element) {
  element.readers[stage_] = index_ + 1;
  if (element.writer_stage == stage_) return;
  uint32_t& conflict = conflicts_[element.writer_stage];
  conflict = std::max(conflict, element.writer);
}

void StreamHazards::write(Element& element) {
  for (int stage = 0; stage < kStages; ++stage) {
    if (stage != stage_) conflicts_[stage] = std::max(conflicts_[stage], element.readers[stage]);
  }
  if (element.writer_stage != stage_) {
    uint32_t& conflict = conflicts_[element.writer_stage];
    conflict = std::max(conflict, element.writer);
  }
  element.writer = index_ + 1;
  element.writer_stage = stage_;
}

template <typename Visit>
void StreamHazards::for_each_granule(const isa::Instruction& transfer, const DramAddress& address,
                                     Visit&& visit) {
  if (address.area == DramAddress::Area::kImage) return;
  const uint64_t elem_bytes = dram_elem_bytes(transfer.memory, core_);
  VTA_ASSERT(address.offset_bytes % granule_bytes_ == 0 && elem_bytes % granule_bytes_ == 0,
             "activations are multiples of the granule");
  for (uint64_t row = 0; row < transfer.y_size; ++row) {
    const uint64_t first = address.offset_bytes + row * transfer.x_stride * elem_bytes;
    const uint64_t last = first + transfer.x_size * elem_bytes;
    if (dram_.size() < last / granule_bytes_) dram_.resize(last / granule_bytes_);
    for (uint64_t g = first / granule_bytes_; g < last / granule_bytes_; ++g) visit(dram_[g]);
  }
}

void StreamHazards::record_load(const isa::Instruction& load, const DramAddress& address) {
  if (isa::is_carrier(load)) return;
  for_each_granule(load, address, [&](Element& granule) { read(granule); });
  write_loaded(load);
  if (load.memory == isa::kUop) load_uops(load, address);
}

void StreamHazards::write_loaded(const isa::Instruction& load) {
  const uint32_t rows = load.y_pad_0 + load.y_size + load.y_pad_1;
  const uint32_t end = load.sram_base + rows * (load.x_pad_0 + load.x_size + load.x_pad_1);
  const bool accumulators = load.memory == isa::kAcc || load.memory == isa::kAcc8Bit;
  Memory& elements = load.memory == isa::kUop   ? uop_
                     : load.memory == isa::kWgt ? wgt_
                     : load.memory == isa::kInp ? inp_
                                                : acc_;
  for (uint32_t e = load.sram_base; e < end; ++e) {
    write(elements.at(e));
    if (accumulators && !load.split) write(out_[e]);
  }
}

void StreamHazards::load_uops(const isa::Instruction& load, const DramAddress& address) {
  VTA_ASSERT(address.area == DramAddress::Area::kImage && load.y_size == 1,
             "micro-ops are one run of the image");
  VTA_ASSERT(address.offset_bytes + uint64_t{4} * load.x_size <= image_.bytes().size(),
             "micro-ops are in the image");
  for (uint32_t i = 0; i < load.x_size; ++i) {
    uint32_t word;
    std::memcpy(&word, &image_.bytes()[address.offset_bytes + uint64_t{4} * i], sizeof word);
    uops_[load.sram_base + i] = isa::decode_uop(word, core_);
  }
}

void StreamHazards::record_store(const isa::Instruction& store, const DramAddress& address) {
  if (isa::is_carrier(store)) return;
  VTA_ASSERT(address.area == DramAddress::Area::kActivations, "the image is constant");
  for (uint32_t e = 0; e < store.x_size * store.y_size; ++e) read(out_.at(store.sram_base + e));
  for_each_granule(store, address, [&](Element& granule) { write(granule); });
}

// Taps read most elements several times: each is recorded once.
void StreamHazards::record_reads(const isa::Instruction& gemm, uint32_t isa::Uop::* operand,
                                 uint32_t factor_out, uint32_t factor_in, Memory& memory) {
  const auto depth = static_cast<uint32_t>(memory.size());
  ElementSet offsets(depth), elements(depth);
  bool inside = true;
  for_each_offset(gemm, factor_out, factor_in,
                  [&](uint32_t offset) { inside &= offsets.add_range(offset, offset + 1); });
  for (uint32_t u = gemm.uop_bgn; u < gemm.uop_end; ++u)
    inside &= elements.add_shifted(offsets, uops_.at(u).*operand);
  VTA_ASSERT(inside, "operands are inside their memory");
  elements.for_each([&](uint32_t element) { read(memory[element]); });
}

void StreamHazards::record_gemm(const isa::Instruction& gemm) {
  if (!gemm.reset || gemm.split) {
    record_reads(gemm, &isa::Uop::src, gemm.src_factor_out, gemm.src_factor_in, inp_);
    record_reads(gemm, &isa::Uop::wgt, gemm.wgt_factor_out, gemm.wgt_factor_in, wgt_);
  }
  std::optional<uint32_t> last_dst;
  for (uint32_t u = gemm.uop_bgn; u < gemm.uop_end; ++u) {
    const isa::Uop& uop = uops_.at(u);
    read(uop_[u]);
    if (uop.dst == last_dst) continue;  // a reduction has many micro-ops with one destination
    last_dst = uop.dst;
    for_each_offset(gemm, gemm.dst_factor_out, gemm.dst_factor_in, [&](uint32_t offset) {
      Element& element = acc_.at(uop.dst + offset);
      if (!gemm.reset) read(element);
      write(element);
      if (!gemm.split) write(out_[uop.dst + offset]);
    });
  }
}

void StreamHazards::record_alu(const isa::Instruction& alu) {
  for (uint32_t u = alu.uop_bgn; u < alu.uop_end; ++u) {
    const isa::Uop& uop = uops_.at(u);
    read(uop_[u]);
    if (!alu.use_imm) {
      for_each_offset(alu, alu.src_factor_out, alu.src_factor_in,
                      [&](uint32_t offset) { read(acc_.at(uop.src + offset)); });
    }
    for_each_offset(alu, alu.dst_factor_out, alu.dst_factor_in, [&](uint32_t offset) {
      read(acc_.at(uop.dst + offset));
      write(acc_[uop.dst + offset]);
      write(out_[uop.dst + offset]);
    });
  }
}

}  // namespace vta::lower
