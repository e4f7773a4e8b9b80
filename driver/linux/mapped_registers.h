// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_LINUX_MAPPED_REGISTERS_H_
#define VTA_DRIVER_LINUX_MAPPED_REGISTERS_H_

#include <utility>

#include "driver/linux/file_descriptor.h"
#include "driver/linux/memory_barrier.h"
#include "hw/registers/register_bus.h"

namespace vta::driver {

// Memory-mapped registers. Memory writes before a register write are visible to the core; memory
// reads after a register read see the core's writes.
class MappedRegisters : public hw::RegisterBus {
 public:
  // `file`: the mapped file; kept open, with its lock, as long as the registers.
  MappedRegisters(Mapping mapping, FileDescriptor file)
      : file_(std::move(file)), mapping_(std::move(mapping)) {}

  uint32_t read(uint32_t offset) override {
    const uint32_t value = *word(offset);
    memory_barrier();
    return value;
  }
  void write(uint32_t offset, uint32_t value) override {
    memory_barrier();
    *word(offset) = value;
  }

 private:
  volatile uint32_t* word(uint32_t offset) const {
    return reinterpret_cast<volatile uint32_t*>(mapping_.data() + offset);
  }

  FileDescriptor file_;
  Mapping mapping_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_MAPPED_REGISTERS_H_
