// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/client_memory.h"

#include <algorithm>
#include <iterator>

#include "base/errors/counted.h"
#include "base/numbers/round_up.h"

namespace vta::rpc {
namespace {

// Only called for sizes far below the maximum, so that the sum cannot wrap.
uint64_t whole_granules(uint64_t size_bytes) {
  return round_up(size_bytes, ClientMemory::kGranuleBytes);
}

// Whether `size_bytes` in granules fit.
bool fits(uint64_t size_bytes, uint64_t left_bytes) {
  return size_bytes <= left_bytes && whole_granules(size_bytes) <= left_bytes;
}

}  // namespace

driver::DeviceAddress ClientMemory::allocate(DeviceSlot& slot, uint64_t size_bytes) {
  const uint64_t left_bytes = limit_bytes_ - used_bytes_;
  if (!fits(size_bytes, left_bytes)) {
    fail(ErrorCode::kOutOfMemory,
         "device memory: {} requested, {} of this client's limit of {} bytes are free",
         counted(size_bytes, "byte"), left_bytes, limit_bytes_);
  }
  const uint64_t total_left_bytes =
      total_limit_bytes_ - std::min(total_limit_bytes_, slot.client_bytes);
  if (!fits(size_bytes, total_left_bytes)) {
    fail(ErrorCode::kOutOfMemory,
         "device memory: {} requested, {} of the {} bytes for all clients are free",
         counted(size_bytes, "byte"), total_left_bytes, total_limit_bytes_);
  }
  const driver::DeviceAddress address = slot.device().allocate(size_bytes);
  blocks_.emplace(address.bytes, size_bytes);
  used_bytes_ += whole_granules(size_bytes);
  slot.client_bytes += whole_granules(size_bytes);
  ++slot.live_blocks;
  return address;
}

void ClientMemory::free(DeviceSlot& slot, driver::DeviceAddress address) {
  const auto block = blocks_.find(address.bytes);
  if (block == blocks_.end()) {
    fail(ErrorCode::kInvalidArgument, "device address {:#x}: no block of this client starts there",
         address.bytes);
  }
  used_bytes_ -= whole_granules(block->second);
  slot.client_bytes -= whole_granules(block->second);
  blocks_.erase(block);
  --slot.live_blocks;
  slot.device().free(address);
}

void ClientMemory::require_own(driver::DeviceAddress address, uint64_t size_bytes) const {
  const auto after = blocks_.upper_bound(address.bytes);
  if (after != blocks_.begin()) {
    const auto& [start_bytes, block_bytes] = *std::prev(after);
    const uint64_t offset_bytes = address.bytes - start_bytes;
    if (offset_bytes <= block_bytes && size_bytes <= block_bytes - offset_bytes) return;
  }
  fail(ErrorCode::kInvalidArgument,
       "{} bytes at device address {:#x} are not inside a block of this client", size_bytes,
       address.bytes);
}

void ClientMemory::free_all(DeviceSlot& slot) {
  while (!blocks_.empty()) {
    try {
      free(slot, {blocks_.begin()->first});
    } catch (const std::exception&) {  // the device is lost, and its memory with it
    }
  }
}

}  // namespace vta::rpc
