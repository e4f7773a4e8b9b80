// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_LINUX_MAPPED_REGISTERS_H_
#define VTA_DRIVER_LINUX_MAPPED_REGISTERS_H_

#include <atomic>
#include <utility>

#include "driver/linux/file_descriptor.h"
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
    barrier();
    return value;
  }
  void write(uint32_t offset, uint32_t value) override {
    barrier();
    *word(offset) = value;
  }

 private:
  volatile uint32_t* word(uint32_t offset) const {
    return reinterpret_cast<volatile uint32_t*>(mapping_.data() + offset);
  }
  // The C++ fence does not order ordinary memory and device registers on ARM.
  static void barrier() {
#if defined(__arm__) || defined(__aarch64__)
    asm volatile("dsb sy" ::: "memory");
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }

  FileDescriptor file_;
  Mapping mapping_;
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_MAPPED_REGISTERS_H_
