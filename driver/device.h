// SPDX-License-Identifier: Apache-2.0
//
// Device: the interface between software and the accelerator. Simulators, boards and remote boards
// implement it; code above this interface does not depend on which one it uses.
#ifndef VTA_DRIVER_DEVICE_H_
#define VTA_DRIVER_DEVICE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "configs/core_config.h"
#include "hw/isa/layout.h"
#include "hw/registers/counters.h"
#include "hw/registers/stage_cycles.h"

namespace vta::driver {

struct DeviceDescription {
  // What open() was given; with what the device has chosen by itself, if it has a choice.
  std::string uri;
  CoreConfig core;
  bool timed = false;    // counts cycles
  bool computes = true;  // false: only counters and cycles are valid, outputs are not
};

// A byte address in device memory. Not a host pointer.
struct DeviceAddress {
  uint64_t bytes = 0;
};

// A program stopped with a fault defined in hw/isa. The message holds the instruction's index, its
// disassembly and the offending value; for a deadlock, the instruction of each waiting stage and
// the token that it waits for.
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

// A part of a run's instructions, for example a layer: those before `end` that are not in an
// earlier part.
struct RunPart {
  std::string name;
  uint32_t end = 0;  // number of an instruction
};

// Cycles from the start of a run until all instructions of a part and of those before it have
// ended. Instructions of later parts may have started.
struct PartEnd {
  uint64_t cycles = 0;
  std::optional<hw::StageCycles> stages = std::nullopt;  // simulators only

  bool operator==(const PartEnd&) const = default;
};

struct RunRequest {
  DeviceAddress arena;       // base of dram_base; a multiple of kArenaAlignmentBytes
  uint64_t arena_bytes = 0;  // accesses beyond it are faults
  // Offset of the first instruction from the start of the arena; a multiple of 16.
  uint64_t program_offset_bytes = 0;
  uint32_t num_instructions = 0;
  std::chrono::milliseconds timeout{60'000};  // wall-clock time
  std::string name = "program";               // shown in traces of the run
  // The parts in order, for reports and traces; may be empty.
  std::vector<RunPart> parts;
  // If not null, gets the end of each part; empty if the device cannot tell.
  std::vector<PartEnd>* part_ends = nullptr;
  // If not null, a device on another machine puts the seconds of the run there, by the clock of
  // that machine. Others leave it as it is.
  std::optional<double>* remote_seconds = nullptr;
  // If not null, another thread may set it to end the run early. A device without a way to end a
  // run ignores it.
  const std::atomic<bool>* stop = nullptr;
};

// One device must be used by one thread at a time; different devices may be used concurrently.
class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceDescription describe() const = 0;

  // Allocates zeroed device memory, aligned to kArenaAlignmentBytes, until free().
  // Errors: kOutOfMemory, naming the requested size and the free size.
  virtual DeviceAddress allocate(uint64_t size_bytes) = 0;
  virtual void free(DeviceAddress address) = 0;

  // Copies between host and device memory, visible to the other side on return.
  // Errors: kInvalidArgument if the range is not inside one allocation.
  virtual void copy_in(DeviceAddress dst, std::span<const uint8_t> src) = 0;
  virtual void copy_out(std::span<uint8_t> dst, DeviceAddress src) = 0;

  // Runs an instruction stream to its FINISH.
  // Errors: DeviceFault; kTimeout, or kDevice if it was stopped (the device is reset before this
  // returns); kInvalidArgument for a request outside its allocation. The device is usable again
  // after an error.
  virtual hw::Counters run(const RunRequest& request) = 0;
};

inline constexpr uint64_t kArenaAlignmentBytes = 4096;

// A kind of device, for lists and help.
struct DeviceKind {
  std::string uri;   // its form: "cycle[:MEMORY]"
  std::string what;  // "the core's cycle model"
};

// Registers the factory for a scheme, the part of a URI before ':' ("functional", "rtl", "rpc").
// Each program registers the devices that it links.
using DeviceFactory =
    std::function<std::unique_ptr<Device>(const std::string& uri, const CoreConfig& core)>;
// `reach`: what require_reachable() calls, for devices on other machines.
using DeviceReach = std::function<void(const std::string& uri)>;
void register_device(const std::string& scheme, DeviceKind kind, DeviceFactory factory,
                     DeviceReach reach = nullptr);

// Opens a device. Errors: kNotFound for an unknown scheme, listing the known ones; any error of the
// factory.
std::unique_ptr<Device> open(const std::string& uri, const CoreConfig& core);

// For callers with work to do before they open the device: fails early where open() would fail for
// a wrong address. Connects to the server of a device on another machine and leaves again.
// Errors: kNotFound for an unknown scheme; any error of connecting.
void require_reachable(const std::string& uri);

// The registered devices by scheme.
std::map<std::string, DeviceKind> registered_devices();

}  // namespace vta::driver

#endif  // VTA_DRIVER_DEVICE_H_
