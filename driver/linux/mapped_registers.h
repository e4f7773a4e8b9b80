// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_LINUX_MAPPED_REGISTERS_H_
#define VTA_DRIVER_LINUX_MAPPED_REGISTERS_H_

#include <atomic>
#include <utility>

#include "driver/linux/file_descriptor.h"
#include "hw/registers/register_bus.h"

namespace vta::driver {

// Registers that are memory of this process. What was written to memory before a register is
// written is there when the core looks; what a register says is true of memory read after it.
class MappedRegisters : public RegisterBus {
 public:
  // `file`: what is mapped; kept, with its lock, as long as the registers are.
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
  // Between ordinary memory and registers the fence of the language is not enough on ARM.
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
