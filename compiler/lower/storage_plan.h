// SPDX-License-Identifier: Apache-2.0
//
// StoragePlan: which device values share bytes. A value that is computed has bytes of its own; a
// view lies in those of its operands, and what is concatenated is written into its place in the
// whole from the start.
#ifndef VTA_COMPILER_LOWER_STORAGE_PLAN_H_
#define VTA_COMPILER_LOWER_STORAGE_PLAN_H_

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/program/program.h"

namespace vta::lower {

class StoragePlan {
 public:
  // A value that a step writes.
  void add_written(ValueId value, uint64_t size_bytes);

  // A view: operand i lies `offsets_bytes[i]` behind the view's first byte. Returns the operands
  // (as indices) that cannot lie there, because their bytes or others that go with them are wanted
  // elsewhere: the caller puts a written copy in place of each and adds the view again. Nothing is
  // added then.
  std::vector<size_t> add_view(ValueId view, uint64_t size_bytes,
                               const std::vector<ValueId>& operands,
                               const std::vector<int64_t>& offsets_bytes);

  bool contains(ValueId value) const { return storage_of_.contains(value); }

  // A run of bytes and the values in it.
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
  // Every storage, its first byte 0, in the order of their first members.
  std::vector<Storage> storages() const;

 private:
  using Members = std::vector<Member>;
  const Member& member(ValueId value) const;
  bool fits(const Members& whole, const Members& joining, int64_t shift, const Member& view,
            const std::vector<ValueId>& operands, const std::vector<int64_t>& offsets) const;

  std::map<ValueId, size_t> storage_of_;
  std::vector<Members> storages_;  // empty where joined to another
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_STORAGE_PLAN_H_
