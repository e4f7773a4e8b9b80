// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_UIO_MAPPED_BUFFER_H_
#define VTA_DRIVER_UIO_MAPPED_BUFFER_H_

#include <utility>

#include "driver/buffer_allocator.h"
#include "driver/linux/file_descriptor.h"

namespace vta::driver {

// A buffer in mapped memory that needs no syncs.
class MappedBuffer : public Buffer {
 public:
  // `file`: the mapped file; kept open, with its lock, as long as the buffer.
  MappedBuffer(FileDescriptor file, Mapping mapping, uint64_t bus_address)
      : file_(std::move(file)), mapping_(std::move(mapping)), bus_address_(bus_address) {}

  uint8_t* host() override { return mapping_.data(); }
  uint64_t bus_address() const override { return bus_address_; }
  uint64_t size_bytes() const override { return mapping_.size_bytes(); }
  void sync_to_core(uint64_t, uint64_t) override {}
  void sync_from_core(uint64_t, uint64_t) override {}

 private:
  FileDescriptor file_;
  Mapping mapping_;
  uint64_t bus_address_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_UIO_MAPPED_BUFFER_H_
