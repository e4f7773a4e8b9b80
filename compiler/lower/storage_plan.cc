// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/storage_plan.h"

#include <algorithm>
#include <optional>

#include "base/errors/error.h"

namespace vta::lower {

void StoragePlan::add_written(ValueId value, uint64_t size_bytes) {
  storage_of_[value] = storages_.size();
  storages_.push_back({{value, 0, size_bytes, true}});
}

const StoragePlan::Member& StoragePlan::member(ValueId value) const {
  const Members& members = storages_[storage_of_.at(value)];
  return *std::ranges::find(members, value, &Member::value);
}

// Whether `joining`, moved by `shift`, can be merged into the storage `whole`, whose byte 0 is the
// view's first byte. No two written values may overlap, and the view's range must contain only
// values of its operands.
bool StoragePlan::fits(const Members& whole, const Members& joining, int64_t shift,
                       const Member& view, const std::vector<ValueId>& operands,
                       const std::vector<int64_t>& offsets) const {
  const auto is_of_an_operand = [&](int64_t begin, int64_t end) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const auto own = std::ranges::find(joining, operands[i], &Member::value);
      if (own == joining.end() || own->begin + shift != offsets[i]) continue;
      if (begin >= own->begin + shift && end <= own->end() + shift) return true;
    }
    return false;
  };
  for (const Member& m : joining) {
    if (!m.written) continue;
    const int64_t begin = m.begin + shift, end = m.end() + shift;
    for (const Member& other : whole) {
      if (other.written && begin < other.end() && other.begin < end) return false;
    }
    const int64_t inside_begin = std::max(begin, view.begin),
                  inside_end = std::min(end, view.end());
    if (inside_begin < inside_end && !is_of_an_operand(inside_begin, inside_end)) return false;
  }
  return true;
}

std::vector<size_t> StoragePlan::add_view(ValueId view, uint64_t size_bytes,
                                          const std::vector<ValueId>& operands,
                                          const std::vector<int64_t>& offsets_bytes) {
  const Member own{view, 0, size_bytes, false};
  Members whole = {own};
  std::map<size_t, int64_t> shifts;  // of the merged storages
  std::vector<size_t> refused;
  for (size_t i = 0; i < operands.size(); ++i) {
    const size_t storage = storage_of_.at(operands[i]);
    const int64_t shift = offsets_bytes[i] - member(operands[i]).begin;
    if (const auto joined = shifts.find(storage); joined != shifts.end()) {
      if (joined->second != shift) refused.push_back(i);
      continue;
    }
    if (!fits(whole, storages_[storage], shift, own, operands, offsets_bytes)) {
      refused.push_back(i);
      continue;
    }
    shifts[storage] = shift;
    for (Member m : storages_[storage]) {
      m.begin += shift;
      whole.push_back(m);
    }
  }
  if (!refused.empty()) return refused;
  for (const auto& [storage, shift] : shifts) storages_[storage].clear();
  for (const Member& m : whole) storage_of_[m.value] = storages_.size();
  storages_.push_back(std::move(whole));
  return {};
}

std::vector<StoragePlan::Storage> StoragePlan::storages() const {
  std::vector<Storage> result;
  for (const Members& members : storages_) {
    if (members.empty()) continue;
    Storage storage{members, 0};
    const int64_t first = std::ranges::min_element(members, {}, &Member::begin)->begin;
    for (Member& m : storage.members) {
      m.begin -= first;
      storage.size_bytes = std::max(storage.size_bytes, static_cast<uint64_t>(m.end()));
    }
    std::ranges::sort(storage.members, {}, &Member::value);
    result.push_back(std::move(storage));
  }
  std::ranges::sort(result, {}, [](const Storage& s) { return s.members.front().value; });
  return result;
}

}  // namespace vta::lower
