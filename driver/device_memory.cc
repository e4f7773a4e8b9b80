// SPDX-License-Identifier: Apache-2.0
#include "driver/device_memory.h"

#include <cstring>
#include <utility>

#include "base/errors/counted.h"
#include "base/numbers/round_up.h"

namespace vta::driver {
namespace {

// Only for sizes already checked against the capacity, so that the sum cannot wrap.
uint64_t round_up_to_page(uint64_t size_bytes) {
  return round_up(size_bytes, kArenaAlignmentBytes);
}

// The largest block that, with its alignment, fits the host's address type: 4 GiB exceed 32 bits.
constexpr uint64_t kMaxHostBlockBytes = SIZE_MAX - kArenaAlignmentBytes;

}  // namespace

DeviceAddress DeviceMemory::allocate(uint64_t size_bytes) {
  if (size_bytes == 0) fail(ErrorCode::kInvalidArgument, "allocate: 0 bytes requested");
  const uint64_t left_bytes = capacity_bytes_ - used_bytes_;
  if (size_bytes > left_bytes || round_up_to_page(size_bytes) > left_bytes) {
    fail(ErrorCode::kOutOfMemory, "allocate: {} requested, {} of the device's {} bytes are free",
         counted(size_bytes, "byte"), left_bytes, capacity_bytes_);
  }
  const uint64_t block_bytes = round_up_to_page(size_bytes);
  // calloc() gets large blocks as untouched zero pages: an arena of 4 GiB costs only the pages that
  // a program uses.
  Block block{{}, nullptr, size_bytes};
  if (block_bytes <= kMaxHostBlockBytes) {
    block.host.reset(static_cast<uint8_t*>(
        std::calloc(static_cast<size_t>(block_bytes + kArenaAlignmentBytes), 1)));
  }
  if (block.host == nullptr) {
    fail(ErrorCode::kOutOfMemory, "allocate: the host cannot allocate {} bytes of device memory",
         block_bytes);
  }
  const uint64_t misaligned_bytes =
      reinterpret_cast<uintptr_t>(block.host.get()) % kArenaAlignmentBytes;
  block.data = block.host.get() + (kArenaAlignmentBytes - misaligned_bytes);

  const DeviceAddress address{next_address_bytes_};
  next_address_bytes_ += block_bytes + kArenaAlignmentBytes;
  used_bytes_ += block_bytes;
  blocks_.emplace(address.bytes, std::move(block));
  return address;
}

void DeviceMemory::free(DeviceAddress address) {
  const auto found = blocks_.find(address.bytes);
  if (found == blocks_.end()) {
    fail(ErrorCode::kInvalidArgument, "free: no allocation starts at device address {:#x}",
         address.bytes);
  }
  used_bytes_ -= round_up_to_page(found->second.size_bytes);
  blocks_.erase(found);
}

void DeviceMemory::copy_in(DeviceAddress dst, std::span<const uint8_t> src) {
  if (src.empty()) return;
  std::memcpy(resolve(dst, src.size()), src.data(), src.size());
}

void DeviceMemory::copy_out(std::span<uint8_t> dst, DeviceAddress src) const {
  if (dst.empty()) return;
  std::memcpy(dst.data(), resolve(src, dst.size()), dst.size());
}

uint8_t* DeviceMemory::resolve(DeviceAddress address, uint64_t size_bytes) const {
  const auto after = blocks_.upper_bound(address.bytes);
  const auto found = after == blocks_.begin() ? blocks_.end() : std::prev(after);
  if (found == blocks_.end() || address.bytes - found->first >= found->second.size_bytes) {
    fail(ErrorCode::kInvalidArgument, "device address {:#x} is not in any allocation",
         address.bytes);
  }
  const auto& [start_bytes, block] = *found;
  const uint64_t offset_bytes = address.bytes - start_bytes;
  if (size_bytes > block.size_bytes - offset_bytes) {
    fail(ErrorCode::kInvalidArgument,
         "{} bytes at device address {:#x} exceed the allocation of {} bytes at {:#x}", size_bytes,
         address.bytes, block.size_bytes, start_bytes);
  }
  return block.data + offset_bytes;
}

}  // namespace vta::driver
