// SPDX-License-Identifier: Apache-2.0
//
// StoragePlan: the device values that share bytes. A computed value has its own bytes; a view
// shares the bytes of its operands, and the operands of a concat are written at their place in the
// result.
#ifndef VTA_COMPILER_LOWER_STORAGE_PLAN_H_
#define VTA_COMPILER_LOWER_STORAGE_PLAN_H_

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/program/program.h"

namespace vta::lower {

class StoragePlan {
 public:
  // Adds a value that a step writes.
  void add_written(ValueId value, uint64_t size_bytes);

  // Adds a view with operand i at `offsets_bytes[i]` from the view's first byte. Returns the
  // indices of operands that cannot be placed there because their storage conflicts with another
  // view. Then nothing is added: the caller replaces each by a written copy and adds the view
  // again.
  std::vector<size_t> add_view(ValueId view, uint64_t size_bytes,
                               const std::vector<ValueId>& operands,
                               const std::vector<int64_t>& offsets_bytes);

  bool contains(ValueId value) const { return storage_of_.contains(value); }

  // A value in a storage.
  struct Member {
    ValueId value = -1;
    int64_t begin = 0;  // in the storage
    uint64_t size_bytes = 0;
    bool written = false;

    int64_t end() const { return begin + static_cast<int64_t>(size_bytes); }
  };
  struct Storage {
    std::vector<Member> members;
    uint64_t size_bytes = 0;
  };
  // All storages, normalized to a first byte of 0, by first member.
  std::vector<Storage> storages() const;

 private:
  using Members = std::vector<Member>;
  const Member& member(ValueId value) const;
  bool fits(const Members& whole, const Members& joining, int64_t shift, const Member& view,
            const std::vector<ValueId>& operands, const std::vector<int64_t>& offsets) const;

  std::map<ValueId, size_t> storage_of_;
  std::vector<Members> storages_;  // empty if merged into another
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_STORAGE_PLAN_H_
