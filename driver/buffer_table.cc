// SPDX-License-Identifier: Apache-2.0
#include "driver/buffer_table.h"

#include <utility>

#include "driver/shared_copy.h"

namespace vta::driver {

DeviceAddress BufferTable::add(std::unique_ptr<Buffer> buffer, uint64_t size_bytes) {
  clear_shared(buffer->host(), size_bytes);
  buffer->sync_to_core(0, size_bytes);
  const uint64_t address_bytes = buffer->bus_address();
  VTA_ASSERT(!entries_.contains(address_bytes), "an allocator returned live memory again");
  entries_[address_bytes] = {std::move(buffer), size_bytes};
  return {address_bytes};
}

void BufferTable::remove(DeviceAddress address) {
  if (entries_.erase(address.bytes) == 0) {
    fail(ErrorCode::kInvalidArgument, "free: no allocation starts at device address {:#x}",
         address.bytes);
  }
}

void BufferTable::copy_in(DeviceAddress dst, std::span<const uint8_t> src) {
  if (src.empty()) return;
  const BufferRange range = resolve(dst, src.size());
  copy_to_shared(range.host(), src);
  range.buffer->sync_to_core(range.offset_bytes, src.size());
}

void BufferTable::copy_out(std::span<uint8_t> dst, DeviceAddress src) {
  if (dst.empty()) return;
  const BufferRange range = resolve(src, dst.size());
  range.buffer->sync_from_core(range.offset_bytes, dst.size());
  copy_from_shared(dst, range.host());
}

BufferRange BufferTable::resolve(DeviceAddress address, uint64_t size_bytes) const {
  const auto after = entries_.upper_bound(address.bytes);
  const auto found = after == entries_.begin() ? entries_.end() : std::prev(after);
  if (found == entries_.end() || address.bytes - found->first >= found->second.size_bytes) {
    fail(ErrorCode::kInvalidArgument, "device address {:#x} is not in any allocation",
         address.bytes);
  }
  const uint64_t offset_bytes = address.bytes - found->first;
  if (size_bytes > found->second.size_bytes - offset_bytes) {
    fail(ErrorCode::kInvalidArgument,
         "{} bytes at device address {:#x} exceed the allocation of {} bytes at {:#x}", size_bytes,
         address.bytes, found->second.size_bytes, found->first);
  }
  return {found->second.buffer.get(), offset_bytes};
}

}  // namespace vta::driver
