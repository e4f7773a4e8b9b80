// SPDX-License-Identifier: Apache-2.0
//
// Reads of constant tables: a table becomes one constant word, and a read of it a choice of a lane.
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "hw/hlsc/front/operations.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {

using ir::Opcode;
using ir::ValueId;

namespace {

constexpr uint64_t kMaxBits = 1 << 16;  // 1024 LUTs

// An entry's bits; undefined ones (padding) are 0.
llvm::APInt entry(const llvm::Instruction& at, llvm::Constant& table, llvm::Type* type,
                  int64_t offset_bytes) {
  const llvm::DataLayout& layout = at.getModule()->getDataLayout();
  const llvm::APInt offset(64, static_cast<uint64_t>(offset_bytes));
  llvm::Constant* value = llvm::ConstantFoldLoadFromConst(&table, type, offset, layout);
  if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value))
    return number->getValue();
  if (value == nullptr || !llvm::isa<llvm::UndefValue>(value))
    refuse(at, "a constant table of anything but integers");
  return llvm::APInt(type->getIntegerBitWidth(), 0);
}

// The least width from which extension gives all values.
struct Narrow {
  uint32_t width = 1;
  Opcode extension;
};
Narrow narrowed(const std::vector<llvm::APInt>& values) {
  uint32_t as_unsigned = 1, as_signed = 1;
  for (const llvm::APInt& value : values) {
    as_unsigned = std::max(as_unsigned, value.getActiveBits());
    as_signed = std::max(as_signed, value.getSignificantBits());
  }
  return as_unsigned <= as_signed ? Narrow{as_unsigned, Opcode::kZext}
                                  : Narrow{as_signed, Opcode::kSext};
}

}  // namespace

ValueId Operations::table_entry(const llvm::LoadInst& load, const GlobalAddress& address) {
  llvm::Constant& table = *const_cast<llvm::Constant*>(address.global->getInitializer());
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  const uint32_t width = width_of(load, load.getType());
  const auto bytes = [&](llvm::Type* type) {
    return static_cast<int64_t>(layout.getTypeAllocSize(type).getFixedValue());
  };
  const Entries entries = entries_of(address, bytes(table.getType()), bytes(load.getType()));
  const std::string name = member_name(address.global->getName().str());
  if (entries.count == 0) refuse(load, "a read outside the table " + name);
  std::vector<llvm::APInt> values;
  for (uint64_t i = 0; i < entries.count; ++i)
    values.push_back(entry(load, table, load.getType(), entries.at(i)));
  if (entries.count == 1) return builder_.constant(values[0]);
  const Narrow narrow = narrowed(values);
  const uint32_t lane_width = std::bit_ceil(narrow.width);  // a shift multiplies the index by it
  const uint64_t bits = uint64_t{lane_width} << entries.index_bits();
  if (bits > kMaxBits)
    refuse(load, "the table " + name + " has " + std::to_string(bits) + " bits, at most " +
                     std::to_string(kMaxBits) + ": use HLS_RAM with initial contents");
  llvm::APInt word(static_cast<unsigned>(bits), 0);
  for (size_t i = 0; i < values.size(); ++i)
    word.insertBits(values[i].trunc(narrow.width), static_cast<unsigned>(i * lane_width));
  const ValueId index = combine(load, address.terms, entries.stride_bytes, entries.shift);
  const ValueId lane =
      builder_.append(Opcode::kLane, lane_width,
                      {builder_.constant(word), builder_.slice(index, 0, entries.index_bits())});
  const ValueId value = builder_.slice(lane, 0, narrow.width);
  return narrow.width == width ? value : builder_.append(narrow.extension, width, {value});
}

}  // namespace vta::hlsc::front
