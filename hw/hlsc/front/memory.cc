// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores: of RAM words, and of pieces of registers and inputs.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Support/MathExtras.h>

#include <bit>
#include <optional>
#include <span>

#include "hw/hlsc/front/operations.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {

using ir::Opcode;
using ir::ValueId;

namespace {

int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Whether `rest_bytes` plus the terms always stays within a word, by the known bits of their
// values.
bool stays_in_word(const llvm::DataLayout& layout, const std::vector<Term>& terms,
                   int64_t rest_bytes, int64_t word_bytes) {
  llvm::APInt minimum(128, 0), maximum(128, 0);
  for (const Term& term : terms) {
    const auto range =
        llvm::ConstantRange::fromKnownBits(llvm::computeKnownBits(term.value, layout), true)
            .sextOrTrunc(128);
    const llvm::APInt scale(128, static_cast<uint64_t>(term.scale_bytes), true);
    const llvm::APInt first = range.getSignedMin() * scale, last = range.getSignedMax() * scale;
    minimum += scale.isNegative() ? last : first;
    maximum += scale.isNegative() ? first : last;
  }
  const llvm::APInt rest(128, static_cast<uint64_t>(rest_bytes), true);
  return (minimum + rest).sge(0) && (maximum + rest).slt(word_bytes);
}

// The low bits of constant + sum of value * (scale / unit), if all of them are known.
std::optional<uint32_t> known_low_bits(const llvm::DataLayout& layout,
                                       const std::vector<Term>& terms, int64_t unit_bytes,
                                       int64_t constant, uint32_t num_bits) {
  const auto of = [](int64_t value) {
    return llvm::KnownBits::makeConstant(llvm::APInt(64, static_cast<uint64_t>(value), true));
  };
  llvm::KnownBits sum = of(constant);
  for (const Term& term : terms) {
    const llvm::KnownBits value = llvm::computeKnownBits(term.value, layout).sextOrTrunc(64);
    sum = llvm::KnownBits::computeForAddSub(
        true, false, false, sum, llvm::KnownBits::mul(value, of(term.scale_bytes / unit_bytes)));
  }
  const llvm::KnownBits low = sum.trunc(num_bits);
  if (!low.isConstant()) return std::nullopt;
  return static_cast<uint32_t>(low.getConstant().getZExtValue());
}

}  // namespace

// constant + sum of value * (scale / unit), in 64 bits as addresses are.
ValueId Operations::combine(const llvm::Instruction& at, const std::vector<Term>& terms,
                            int64_t unit_bytes, int64_t constant) {
  ValueId sum = ir::kNoValue;
  for (const Term& term : terms) {
    ValueId value = this->value(at, term.value);
    if (builder_.width(value) < 64) value = builder_.append(Opcode::kSext, 64, {value});
    const int64_t factor = term.scale_bytes / unit_bytes;
    if (factor != 1) {
      const ValueId times = builder_.constant(64, static_cast<uint64_t>(factor));
      value = builder_.append(Opcode::kMul, 64, {value, times});
    }
    sum = sum == ir::kNoValue ? value : builder_.append(Opcode::kAdd, 64, {sum, value});
  }
  const ValueId offset = builder_.constant(64, static_cast<uint64_t>(constant));
  if (sum == ir::kNoValue) return offset;
  return constant == 0 ? sum : builder_.append(Opcode::kAdd, 64, {sum, offset});
}

Operations::Cell Operations::cell(const llvm::Instruction& at, const GlobalAddress& address,
                                  uint32_t width) {
  const ir::ObjectId ram = globals_.object(*address.global);
  const int64_t word_bytes = globals_.objects()[ram].width / 8, access_bytes = width / 8;
  std::vector<Term> index, lane;
  for (const Term& term : address.terms) {
    if (term.scale_bytes % word_bytes == 0) {
      index.push_back(term);
    } else if (access_bytes != 0 && term.scale_bytes % access_bytes == 0) {
      lane.push_back(term);
    } else {
      refuse(at, "an access of " + std::to_string(access_bytes) +
                     " bytes at a variable multiple of " + std::to_string(term.scale_bytes));
    }
  }
  const int64_t words = floor_divide(address.offset_bytes, word_bytes);
  const int64_t rest = address.offset_bytes - words * word_bytes;
  if (rest + access_bytes > word_bytes) refuse(at, "an access across two words");
  const llvm::DataLayout& layout = at.getModule()->getDataLayout();
  Cell result{ram, combine(at, index, word_bytes, words), 0};
  result.ways = globals_.ways(*address.global);
  if (result.ways > 1)
    result.way = known_low_bits(layout, index, word_bytes, words, llvm::Log2_32(result.ways));
  if (lane.empty()) {
    result.offset = static_cast<uint32_t>(8 * rest);
    return result;
  }
  if (rest % access_bytes != 0) refuse(at, "an access that is not aligned to its width");
  result.lane = combine(at, lane, access_bytes, rest / access_bytes);
  const bool plain = rest == 0 && words >= 0;  // an index of a word, and one of a lane
  if (!plain && !stays_in_word(layout, lane, rest, word_bytes))
    carry(at, word_bytes / access_bytes, result);
  return result;
}

// Carries the lane number into the index. A constant added to a variable lane may leave the word:
// `&m[i].v[j - 1]` is in the previous word if j is 0. The part of the sum beyond the lanes of a
// word counts words.
void Operations::carry(const llvm::Instruction& at, int64_t lanes, Cell& cell) {
  const auto count = static_cast<uint64_t>(lanes);
  if (!llvm::isPowerOf2_64(count))
    refuse(at, "a lane at a variable plus a constant, of " + std::to_string(lanes) +
                   " lanes: the number of lanes must be a power of two");
  const uint32_t bits = llvm::Log2_64(count);
  const ValueId words =
      builder_.append(Opcode::kSext, 64, {builder_.slice(cell.lane, bits, 64 - bits)});
  cell.index = builder_.append(Opcode::kAdd, 64, {cell.index, words});
  cell.lane = builder_.slice(cell.lane, 0, bits);
  cell.way.reset();
}

// The access as one of each object that it may be of. Word i of an interleaved RAM is word i / ways
// of object i % ways.
std::vector<Operations::Part> Operations::parts(const Cell& cell, ValueId predicate) {
  if (cell.ways == 1) return {{cell.ram, cell.index, predicate}};
  const uint32_t bits = llvm::Log2_32(cell.ways);
  const ValueId index = builder_.zext(builder_.slice(cell.index, bits, 64 - bits), 64);
  if (cell.way) return {{cell.ram + *cell.way, index, predicate}};
  const ValueId way = builder_.slice(cell.index, 0, bits);
  std::vector<Part> parts;
  for (uint32_t i = 0; i < cell.ways; ++i) {
    const ValueId here = builder_.append(Opcode::kEq, 1, {way, builder_.constant(bits, i)});
    parts.push_back({cell.ram + i, index, builder_.append(Opcode::kAnd, 1, {predicate, here})});
  }
  return parts;
}

ValueId Operations::word(const Cell& cell, ValueId predicate) {
  const auto key = std::make_tuple(cell.ram + cell.way.value_or(0), cell.index, predicate);
  const auto known = words_.find(key);
  if (known != words_.end()) return known->second;
  const std::vector<Part> all = parts(cell, predicate);
  ValueId word = read(all[0]);
  for (const Part& part : std::span(all).subspan(1)) {
    const ValueId other = read(part);
    word = builder_.append(Opcode::kSelect, builder_.width(word), {part.predicate, other, word});
  }
  return words_[key] = word;
}

ValueId Operations::read(const Part& part) {
  const uint32_t width = globals_.objects()[part.ram].width;
  ir::Op op = ir::make_op(Opcode::kRamRead, width, {part.predicate, part.index});
  op.object = part.ram;
  return builder_.append(std::move(op));
}

ValueId Operations::load(llvm::LoadInst& instruction, ValueId predicate) {
  const uint32_t width = width_of(instruction, instruction.getType());
  const uint32_t bits = (width + 7) / 8 * 8;
  const GlobalAddress address = resolve(instruction, instruction.getPointerOperand());
  if (is_table(*address.global)) return table_entry(instruction, address);
  ValueId result;
  if (globals_.is_ram(*address.global)) {
    const Cell from = cell(instruction, address, bits);
    const ValueId all = word(from, predicate);
    result = from.lane == ir::kNoValue ? builder_.slice(all, from.offset, bits)
                                       : builder_.append(Opcode::kLane, bits, {all, from.lane});
  } else if (address.terms.empty()) {
    result = read_part(address, address.offset_bytes, bits, predicate);
  } else {
    result = read_entry(instruction, address, bits, predicate);
  }
  return builder_.slice(result, 0, width);
}

void Operations::store(llvm::StoreInst& instruction, ValueId predicate) {
  ValueId stored = value(instruction, instruction.getValueOperand());
  const uint32_t bits = (builder_.width(stored) + 7) / 8 * 8;
  stored = builder_.zext(stored, bits);
  const GlobalAddress address = resolve(instruction, instruction.getPointerOperand());
  if (!globals_.is_ram(*address.global)) {
    const std::string name = member_name(address.global->getName().str());
    if (globals_.is_input(*address.global)) refuse(instruction, "a write of the input " + name);
    if (!address.terms.empty()) return write_entry(instruction, address, stored, predicate);
    return write_part(address, address.offset_bytes, stored, predicate);
  }
  const Cell to = cell(instruction, address, bits);
  for (const Part& part : parts(to, predicate)) {
    ir::Op op = ir::make_op(Opcode::kRamWrite, 0, {part.predicate, part.index, stored}, to.offset);
    op.object = part.ram;
    if (to.lane != ir::kNoValue) op.operands.push_back(to.lane);
    builder_.append(std::move(op));
  }
  forget_words();
}

ValueId Operations::entry_number(const llvm::Instruction& at, const GlobalAddress& address,
                                 const Entries& entries) {
  return builder_.slice(combine(at, address.terms, entries.stride_bytes, entries.shift), 0,
                        entries.index_bits());
}

// A multiplexer over all entries, which are lanes of one word.
ValueId Operations::read_entry(const llvm::Instruction& at, const GlobalAddress& address,
                               uint32_t width, ValueId predicate) {
  const Entries entries = entries_of(address, globals_.bytes_of(*address.global), width / 8);
  if (entries.count == 1) return read_part(address, entries.at(0), width, predicate);
  const uint32_t lane_width = std::bit_ceil(width);  // a shift multiplies the index by it
  const uint64_t lanes = uint64_t{1} << entries.index_bits();
  std::vector<ValueId> all;
  for (uint64_t i = 0; i < lanes; ++i) {
    all.push_back(
        i < entries.count
            ? builder_.zext(read_part(address, entries.at(i), width, predicate), lane_width)
            : builder_.constant(lane_width, 0));
  }
  const ValueId word =
      builder_.append(Opcode::kConcat, static_cast<uint32_t>(lanes * lane_width), std::move(all));
  const ValueId lane =
      builder_.append(Opcode::kLane, lane_width, {word, entry_number(at, address, entries)});
  return builder_.slice(lane, 0, width);
}

// A write of each entry, under the predicate that the index is its number.
void Operations::write_entry(const llvm::Instruction& at, const GlobalAddress& address,
                             ValueId value, ValueId predicate) {
  const Entries entries =
      entries_of(address, globals_.bytes_of(*address.global), builder_.width(value) / 8);
  if (entries.count == 1) return write_part(address, entries.at(0), value, predicate);
  const ValueId number = entry_number(at, address, entries);
  for (uint64_t i = 0; i < entries.count; ++i) {
    const ValueId here =
        builder_.append(Opcode::kEq, 1, {number, builder_.constant(entries.index_bits(), i)});
    write_part(address, entries.at(i), value, builder_.append(Opcode::kAnd, 1, {predicate, here}));
  }
}

ValueId Operations::read_part(const GlobalAddress& address, int64_t offset_bytes, uint32_t width,
                              ValueId predicate) {
  const auto offset = static_cast<uint32_t>(offset_bytes);
  const Piece& piece = globals_.piece(*address.global, offset);
  return builder_.slice(read_piece(piece, predicate), 8 * (offset - piece.offset_bytes), width);
}

void Operations::write_part(const GlobalAddress& address, int64_t offset_bytes, ValueId value,
                            ValueId predicate) {
  const auto offset = static_cast<uint32_t>(offset_bytes);
  const Piece& piece = globals_.piece(*address.global, offset);
  write_piece(piece, 8 * (offset - piece.offset_bytes), value, predicate);
}

ValueId Operations::read_piece(const Piece& piece, ValueId predicate) {
  const bool is_input = globals_.objects()[piece.object].kind == ir::ObjectKind::kInput;
  const Opcode opcode = is_input ? Opcode::kInputRead : Opcode::kRegisterRead;
  ir::Op op = ir::make_op(opcode, 8 * piece.size_bytes, {predicate});
  op.object = piece.object;
  return builder_.append(std::move(op));
}

// To write a part of a piece, the old value of the rest is written with it.
void Operations::write_piece(const Piece& piece, uint32_t offset, ValueId value,
                             ValueId predicate) {
  const uint32_t width = 8 * piece.size_bytes, end = offset + builder_.width(value);
  if (builder_.width(value) != width) {
    const ValueId old = read_piece(piece, predicate);
    std::vector<ValueId> parts;
    if (offset != 0) parts.push_back(builder_.slice(old, 0, offset));
    parts.push_back(value);
    if (end != width) parts.push_back(builder_.slice(old, end, width - end));
    value = builder_.append(Opcode::kConcat, width, std::move(parts));
  }
  ir::Op op = ir::make_op(Opcode::kRegisterWrite, 0, {predicate, value});
  op.object = piece.object;
  builder_.append(std::move(op));
}

}  // namespace vta::hlsc::front
