// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_BOARD_RAM_BUFFER_H_
#define VTA_TESTS_SUPPORT_BOARD_RAM_BUFFER_H_

#include <cstring>
#include <span>
#include <vector>

#include "driver/buffer_allocator.h"

namespace vta::support {

// A part of a board's memory, `dram`, which starts at bus address `base`. With `cached` the
// processor has a separate copy: a missing sync exposes old bytes.
class RamBuffer : public driver::Buffer {
 public:
  RamBuffer(std::span<uint8_t> dram, uint64_t base, bool cached) : dram_(dram), base_(base) {
    if (cached) cache_.assign(dram.size(), 0x5A);
  }

  uint8_t* host() override { return cache_.empty() ? dram_.data() : cache_.data(); }
  uint64_t bus_address() const override { return base_; }
  uint64_t size_bytes() const override { return dram_.size(); }
  void sync_to_core(uint64_t offset, uint64_t size) override {
    if (!cache_.empty()) std::memcpy(dram_.data() + offset, cache_.data() + offset, size);
  }
  void sync_from_core(uint64_t offset, uint64_t size) override {
    if (!cache_.empty()) std::memcpy(cache_.data() + offset, dram_.data() + offset, size);
  }

 private:
  std::span<uint8_t> dram_;
  uint64_t base_;
  std::vector<uint8_t> cache_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_RAM_BUFFER_H_
