// SPDX-License-Identifier: Apache-2.0
//
// Device: the one seam between software and the accelerator. The simulators, a board and a remote
// board implement it; nothing above this file knows which one it has.
#ifndef VTA_DRIVER_DEVICE_H_
#define VTA_DRIVER_DEVICE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/layout.h"
#include "hw/registers/counters.h"
#include "runtime/base/error.h"

namespace vta::driver {

struct DeviceDescription {
  std::string uri;  // what open() was given
  CoreConfig core;
  bool timed = false;    // counts cycles
  bool computes = true;  // else counters and cycles only: outputs mean nothing
};

// An address in the device's memory, in bytes. Not a host pointer.
struct DeviceAddress {
  uint64_t bytes = 0;
};

// A program stopped with a fault of hw/isa. The message holds the instruction's index, its
// disassembly and the offending value; a deadlock names each waiting stage's instruction and the
// token that it waits for.
class DeviceFault : public Error {
 public:
  DeviceFault(isa::FaultCode fault, uint32_t instruction_index, uint64_t value,
              const std::string& message)
      : Error(ErrorCode::kDevice, message),
        fault(fault),
        instruction_index(instruction_index),
        value(value) {}
  const isa::FaultCode fault;
  const uint32_t instruction_index;
  const uint64_t value;  // see FaultCode
};

struct RunRequest {
  DeviceAddress arena;       // what dram_base counts from; a multiple of kArenaAlignmentBytes
  uint64_t arena_bytes = 0;  // accesses beyond it are faults
  uint64_t program_offset_bytes =
      0;  // of the first instruction, from the arena's start; a multiple of 16
  uint32_t num_instructions = 0;
  std::chrono::milliseconds timeout{60'000};  // wall-clock time
  std::string name = "program";               // for people who look at the run
};

// Used from one thread at a time. Several devices may be used by several threads at once.
class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceDescription describe() const = 0;

  // Device memory, zeroed, aligned to kArenaAlignmentBytes, released by free().
  // Errors: kOutOfMemory, naming the size asked for and the size left.
  virtual DeviceAddress allocate(uint64_t size_bytes) = 0;
  virtual void free(DeviceAddress address) = 0;

  // Copies between host and device memory, visible to the other side on return.
  // Errors: kInvalidArgument if the range is not inside one allocation.
  virtual void copy_in(DeviceAddress dst, std::span<const uint8_t> src) = 0;
  virtual void copy_out(std::span<uint8_t> dst, DeviceAddress src) = 0;

  // Runs an instruction stream to its FINISH.
  // Errors: DeviceFault; kTimeout (the device is reset before this returns); kInvalidArgument for a
  // request outside its allocation. After an error the device can run again.
  virtual Counters run(const RunRequest& request) = 0;
};

inline constexpr uint64_t kArenaAlignmentBytes = 4096;

// Opens devices by the part of the URI before ':' ("functional", "rtl", "rpc"); each program
// registers those that it links.
using DeviceFactory =
    std::function<std::unique_ptr<Device>(const std::string& uri, const CoreConfig& core)>;
void register_device(const std::string& scheme, DeviceFactory factory);

// Errors: kNotFound for an unknown scheme, listing the known ones; what the factory throws.
std::unique_ptr<Device> open(const std::string& uri, const CoreConfig& core);

// Schemes that open() knows, sorted.
std::vector<std::string> registered_schemes();

}  // namespace vta::driver

#endif  // VTA_DRIVER_DEVICE_H_
