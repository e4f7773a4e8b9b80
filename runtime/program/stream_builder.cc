// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_builder.h"

#include <algorithm>

#include "runtime/base/error.h"

namespace vta::program {
namespace {

bool is_memory(const isa::Instruction& i) {
  return i.opcode == isa::kLoad || i.opcode == isa::kStore;
}

uint64_t micro_ops(const isa::Instruction& i) {
  return uint64_t{i.iter_out} * i.iter_in * (i.uop_end - i.uop_bgn);
}

}  // namespace

uint32_t dram_elem_bytes(uint32_t memory, const CoreConfig& core) {
  switch (memory) {
    case isa::kUop:
      return core.uop_elem_bytes();
    case isa::kWgt:
      return core.wgt_elem_bytes();
    case isa::kInp:
      return core.inp_elem_bytes();
    case isa::kAcc:
      return core.acc_elem_bytes();
    default:
      return core.out_elem_bytes();  // OUT and ACC_8BIT
  }
}

StreamBuilder::StreamBuilder(const CoreConfig& core, bool split) : core_(core), split_(split) {
  VTA_ASSERT(!split || core.extension, "split instructions need the extension");
}

InstructionIndex StreamBuilder::add(const isa::Instruction& instruction,
                                    std::initializer_list<InstructionIndex> after) {
  VTA_ASSERT(!is_memory(instruction), "a LOAD or STORE has an address");
  return append(instruction, std::nullopt, after);
}

InstructionIndex StreamBuilder::add(const isa::Instruction& instruction, DramAddress address,
                                    std::initializer_list<InstructionIndex> after) {
  VTA_ASSERT(is_memory(instruction), "only LOAD and STORE have an address");
  return append(instruction, address, after);
}

// Stages are numbered in pipeline order, so that adjacent ones differ by one.
int StreamBuilder::stage(const isa::Instruction& instruction) const {
  switch (isa::stage_of(instruction)) {
    case isa::Stage::kLoad:
      return 0;
    case isa::Stage::kGemm:
      return 1;
    case isa::Stage::kAlu:
      return split_ ? 2 : 1;
    case isa::Stage::kStore:
      return split_ ? 3 : 2;
  }
  return 0;
}

isa::Instruction StreamBuilder::carrier(int stage) const {
  isa::Instruction i;
  i.opcode = stage == (split_ ? 3 : 2) ? isa::kStore : isa::kLoad;
  if (stage == 0) i.memory = isa::kInp;
  if (stage == 1) i.memory = isa::kUop;
  if (stage == 2) i.memory = isa::kAcc;
  if (i.opcode == isa::kStore) i.memory = isa::kOut;
  return i;
}

InstructionIndex StreamBuilder::append(isa::Instruction instruction,
                                       std::optional<DramAddress> address,
                                       std::initializer_list<InstructionIndex> after) {
  const int own = stage(instruction);
  // A producer two or more stages away is replaced by a carrier in the adjacent stage.
  std::vector<InstructionIndex> producers;
  for (InstructionIndex producer : after) {
    if (producer == kNoInstruction) continue;
    VTA_ASSERT(producer < instructions_.size(), "waits are for earlier instructions");
    const int from = stage(instructions_[producer]);
    const int next = from < own ? own - 1 : own + 1;
    if (from != own && from != next) producer = append(carrier(next), std::nullopt, {producer});
    producers.push_back(producer);
  }
  const bool is_compute = own != 0 && instruction.opcode != isa::kStore;
  instruction.split = split_ && is_compute;
  instructions_.push_back(instruction);
  addresses_.push_back(address);
  const auto index = static_cast<InstructionIndex>(instructions_.size() - 1);
  // The latest producer first: it makes waits for earlier producers of the same stage redundant, so
  // that a consumer never pops a queue twice.
  std::ranges::sort(producers, std::greater<>());
  for (InstructionIndex producer : producers) wait(index, producer);
  return index;
}

void StreamBuilder::wait(InstructionIndex consumer, InstructionIndex producer) {
  isa::Instruction& from = instructions_[producer];
  isa::Instruction& to = instructions_[consumer];
  const int from_stage = stage(from), to_stage = stage(to);
  if (from_stage == to_stage) return;  // queue order
  InstructionIndex& waited = waited_[from_stage][to_stage];
  if (producer + 1 <= waited) return;  // implied by an earlier wait
  waited = producer + 1;
  (from_stage < to_stage ? from.push_next : from.push_prev) = 1;
  (from_stage < to_stage ? to.pop_prev : to.pop_next) = 1;
}

StreamCounts StreamBuilder::counts() const {
  StreamCounts counts;
  for (const isa::Instruction& i : instructions_) {
    const uint64_t elems = uint64_t{i.x_size} * i.y_size;
    switch (i.opcode) {
      case isa::kLoad:
        counts.load_bytes += elems * dram_elem_bytes(i.memory, core_);
        break;
      case isa::kStore:
        counts.store_bytes += elems * dram_elem_bytes(i.memory, core_);
        break;
      case isa::kAlu:
        counts.alu_counter += micro_ops(i);
        break;
      // A split GEMM with reset multiplies and overwrites; a plain one only clears.
      case isa::kGemm:
        counts.gemm_counter += i.reset && !i.split ? 0 : micro_ops(i);
        break;
      default:
        break;
    }
  }
  return counts;
}

std::vector<isa::InstructionBits> StreamBuilder::finish(uint64_t activations_offset_bytes) const {
  std::vector<isa::InstructionBits> stream;
  stream.reserve(instructions_.size() + 1);
  for (size_t index = 0; index < instructions_.size(); ++index) {
    isa::Instruction i = instructions_[index];
    if (addresses_[index]) {
      const bool moves = addresses_[index]->area == DramAddress::Area::kActivations;
      const uint64_t bytes =
          addresses_[index]->offset_bytes + (moves ? activations_offset_bytes : 0);
      const uint32_t elem_bytes = dram_elem_bytes(i.memory, core_);
      VTA_ASSERT(bytes % elem_bytes == 0, "DRAM addresses are multiples of the element");
      if (bytes / elem_bytes > UINT32_MAX) {
        fail(ErrorCode::kUnsupported, "an arena of {} bytes exceeds dram_base's 32 bits", bytes);
      }
      i.dram_base = static_cast<uint32_t>(bytes / elem_bytes);
    }
    stream.push_back(isa::encode(i, core_));
  }
  stream.push_back(isa::encode(isa::Instruction{}, core_));  // FINISH
  return stream;
}

}  // namespace vta::program
