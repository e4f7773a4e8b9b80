// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_FRONT_ADDRESS_H_
#define VTA_HW_HLSC_FRONT_ADDRESS_H_

#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

namespace vta::hlsc::front {

// A pointer as a base plus a distance in bytes: offset + sum of value * scale.
struct Term {
  llvm::Value* value;
  int64_t scale_bytes;
};
struct Address {
  llvm::Value* base = nullptr;  // not a getelementptr
  int64_t offset_bytes = 0;
  std::vector<Term> terms;
};
// Errors: a distance that is not such a sum.
Address address_of(const llvm::Instruction& at, llvm::Value* pointer);

// The places in memory that an access with terms may reach: entry i is at first + i * stride. The
// access reaches entry shift + sum of value * (scale / stride).
struct Entries {
  int64_t first_bytes, stride_bytes, shift;
  uint64_t count;

  int64_t at(uint64_t i) const { return first_bytes + static_cast<int64_t>(i) * stride_bytes; }
  // Bits that number the entries, 0 for a single one. Numbers beyond the memory are undefined in
  // C++, so no other bits of the index matter.
  uint32_t index_bits() const;
};
Entries entries_of(const Address& address, int64_t memory_bytes, int64_t access_bytes);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_ADDRESS_H_
