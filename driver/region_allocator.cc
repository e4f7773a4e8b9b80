// SPDX-License-Identifier: Apache-2.0
#include "driver/region_allocator.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/numbers/round_up.h"
#include "driver/device.h"

namespace vta::driver {
namespace {

// A region and its free ranges, shared by the allocator and all its buffers.
struct Region {
  std::unique_ptr<Buffer> buffer;
  std::map<uint64_t, uint64_t> free_bytes;  // by offset; adjacent ranges are merged

  uint64_t left_bytes() const {
    uint64_t sum = 0;
    for (const auto& [offset, bytes] : free_bytes) sum += bytes;
    return sum;
  }

  void give_back(uint64_t offset, uint64_t bytes) {
    const auto after = free_bytes.lower_bound(offset);
    if (after != free_bytes.end() && after->first == offset + bytes) {
      bytes += after->second;
      free_bytes.erase(after);
    }
    const auto next = free_bytes.lower_bound(offset);
    if (next != free_bytes.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += bytes;
        return;
      }
    }
    free_bytes[offset] = bytes;
  }
};

class Piece : public Buffer {
 public:
  Piece(std::shared_ptr<Region> region, uint64_t offset, uint64_t bytes)
      : region_(std::move(region)), offset_(offset), bytes_(bytes) {}
  ~Piece() override { region_->give_back(offset_, bytes_); }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  uint8_t* host() override { return region_->buffer->host() + offset_; }
  uint64_t bus_address() const override { return region_->buffer->bus_address() + offset_; }
  uint64_t size_bytes() const override { return bytes_; }
  void sync_to_core(uint64_t offset, uint64_t bytes) override {
    region_->buffer->sync_to_core(offset_ + offset, bytes);
  }
  void sync_from_core(uint64_t offset, uint64_t bytes) override {
    region_->buffer->sync_from_core(offset_ + offset, bytes);
  }

 private:
  std::shared_ptr<Region> region_;
  uint64_t offset_, bytes_;
};

class RegionAllocator : public BufferAllocator {
 public:
  RegionAllocator(std::unique_ptr<Buffer> buffer, std::string name)
      : region_(std::make_shared<Region>()), name_(std::move(name)) {
    const uint64_t whole = buffer->size_bytes() / kArenaAlignmentBytes * kArenaAlignmentBytes;
    if (buffer->bus_address() % kArenaAlignmentBytes != 0 || whole == 0) {
      fail(ErrorCode::kDevice, "{}: {} bytes at {:#x} do not contain a page of {} bytes", name_,
           buffer->size_bytes(), buffer->bus_address(), kArenaAlignmentBytes);
    }
    region_->buffer = std::move(buffer);
    region_->free_bytes[0] = whole;
  }

  std::string describe() const override {
    return fmt::format("{}: {} bytes at {:#x}", name_, region_->buffer->size_bytes(),
                       region_->buffer->bus_address());
  }

  std::unique_ptr<Buffer> allocate(uint64_t size_bytes) override {
    const auto fits = [&](const auto& range) { return range.second >= size_bytes; };
    const auto found = std::find_if(region_->free_bytes.begin(), region_->free_bytes.end(), fits);
    if (found == region_->free_bytes.end()) refuse(size_bytes);
    const auto [offset, free] = *found;
    // Cannot wrap: the largest free range is a multiple of the page size and not less than
    // `size_bytes`.
    const uint64_t taken = round_up(size_bytes, kArenaAlignmentBytes);
    region_->free_bytes.erase(found);
    if (free > taken) region_->free_bytes[offset + taken] = free - taken;
    return std::make_unique<Piece>(region_, offset, taken);
  }

 private:
  [[noreturn]] void refuse(uint64_t size_bytes) const {
    uint64_t largest = 0;
    for (const auto& [offset, bytes] : region_->free_bytes) largest = std::max(largest, bytes);
    fail(ErrorCode::kOutOfMemory,
         "allocate: {} bytes requested, {} bytes of {} are free, the largest range has {}",
         size_bytes, region_->left_bytes(), describe(), largest);
  }

  std::shared_ptr<Region> region_;
  std::string name_;
};

}  // namespace

std::unique_ptr<BufferAllocator> make_region_allocator(std::unique_ptr<Buffer> region,
                                                       const std::string& name) {
  return std::make_unique<RegionAllocator>(std::move(region), name);
}

}  // namespace vta::driver
