// SPDX-License-Identifier: Apache-2.0
#include "driver/register_device.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "configs/core_fields.h"
#include "driver/buffer_table.h"
#include "driver/fault_message.h"
#include "driver/run_request.h"
#include "driver/snapshots.h"

namespace vta::driver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kBusBytes = uint64_t{1} << 32;  // dram_base_bytes has 32 bits
// A soft reset ends when the last burst has its response: microseconds, unless the memory hangs.
constexpr std::chrono::milliseconds kMaxReset{1000};
// The processor polls during short runs and sleeps during long ones.
constexpr std::chrono::microseconds kEagerPolling{200}, kPollInterval{100};
constexpr std::chrono::milliseconds kMaxInterruptWait{100};  // then status is polled again

constexpr const char* kPortNames[] = {"fetch", "load", "uop", "acc", "store"};

std::vector<std::string> names_of(uint32_t bits, std::span<const char* const> names) {
  std::vector<std::string> set;
  for (size_t i = 0; i < names.size(); ++i) {
    if ((bits >> i & 1) != 0) set.emplace_back(names[i]);
  }
  return set;
}

// Adjusts the stage cycles to match the simulators. The hardware also counts the cycles in which
// it detects the end of a run; after a run without fault all stages are idle in them. The
// simulators count a first cycle in which all stages leave reset, as busy; in hardware reset ends
// earlier.
void match_simulators(hw::Counters& counters) {
  *counters.cycles -= std::min<uint64_t>(*counters.cycles, hw::kRunEndCycles - 1);
  for (auto& states : counters.stages->of) {
    uint64_t& idle = states[hw::kStageState_idle];
    idle -= std::min<uint64_t>(idle, hw::kRunEndCycles);
    ++states[hw::kStageState_busy];
  }
}

class RegisterDevice : public Device {
 public:
  RegisterDevice(std::string uri, const CoreConfig& core, CoreAccess access)
      : uri_(std::move(uri)), core_(core), access_(std::move(access)) {
    check_core(bus(), uri_, core_);
    reset();
    snapshots_.emplace(bus());
  }

  DeviceDescription describe() const override { return {uri_, core_, true}; }

  DeviceAddress allocate(uint64_t size_bytes) override {
    if (size_bytes == 0) fail(ErrorCode::kInvalidArgument, "allocate: 0 bytes requested");
    std::unique_ptr<Buffer> buffer = access_.buffers->allocate(size_bytes);
    const uint64_t address = buffer->bus_address();
    if (address % kArenaAlignmentBytes != 0 || address + size_bytes > kBusBytes) {
      fail(ErrorCode::kDevice,
           "{}: {} returned {} bytes at {:#x}, beyond the core's 32-bit addresses", uri_,
           access_.buffers->describe(), size_bytes, address);
    }
    return buffers_.add(std::move(buffer), size_bytes);
  }
  void free(DeviceAddress address) override { buffers_.remove(address); }
  void copy_in(DeviceAddress dst, std::span<const uint8_t> src) override {
    buffers_.copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, DeviceAddress src) override { buffers_.copy_out(dst, src); }

  hw::Counters run(const RunRequest& request) override {
    check(request);
    const BufferRange arena = buffers_.resolve(request.arena, request.arena_bytes);
    const Deadline deadline = deadline_of(request);
    reset();
    const size_t recorded = request.part_ends == nullptr ? 0 : snapshots_->arm(request.parts);
    if (recorded == 0) snapshots_->disarm();
    start(request);
    const uint32_t status = wait_for_end(deadline);
    if ((status & (hw::kBits_status_done | hw::kBits_status_fault)) == 0) {
      reset();  // the program can no longer access memory
      fail_at_deadline(request);
    }
    if ((status & hw::kBits_status_fault) != 0) throw_fault(request, arena, status);
    hw::Counters counters = hw::read_counters(bus());
    match_simulators(counters);
    if (request.part_ends != nullptr)
      *request.part_ends = snapshots_->read(recorded, *counters.cycles);
    return counters;
  }

 private:
  hw::RegisterBus& bus() { return *access_.registers; }

  void reset() {
    bus().write(hw::kRegister_control, hw::kBits_control_soft_reset);
    const Clock::time_point deadline = Clock::now() + kMaxReset;
    while ((bus().read(hw::kRegister_status) & hw::kBits_status_idle) == 0) {
      if (Clock::now() > deadline) {
        fail(ErrorCode::kDevice,
             "core at {}: it does not leave reset within {} ms (status {:#x}): an HP port does not "
             "complete a burst; vta-flash with the bitstream resets the design, and if that does "
             "not help, switch the board's power off and on, which alone resets the HP ports",
             uri_, kMaxReset.count(), bus().read(hw::kRegister_status));
      }
    }
  }

  void start(const RunRequest& request) {
    bus().write(hw::kRegister_dram_base_bytes, static_cast<uint32_t>(request.arena.bytes));
    hw::write_register64(bus(), hw::kRegister_dram_size_bytes, request.arena_bytes);
    bus().write(hw::kRegister_program_offset_bytes,
                static_cast<uint32_t>(request.program_offset_bytes));
    bus().write(hw::kRegister_num_instructions, request.num_instructions);
    if (access_.interrupt != nullptr) access_.interrupt->arm();
    bus().write(hw::kRegister_control, hw::kBits_control_start);
  }

  // Returns the last status read.
  uint32_t wait_for_end(const Deadline& deadline) {
    const Clock::time_point eager_end = Clock::now() + kEagerPolling;
    while (true) {
      // Read before the clock, so that a run that has ended never counts as a timeout.
      const Clock::time_point now = Clock::now();
      const bool is_over = deadline.is_stopped() || now >= deadline.time();
      const uint32_t status = bus().read(hw::kRegister_status);
      if ((status & (hw::kBits_status_done | hw::kBits_status_fault)) != 0 || is_over) {
        return status;
      }
      if (now >= eager_end) rest(deadline.time() - now);
    }
  }

  void rest(Clock::duration left) {
    if (access_.interrupt == nullptr) {
      std::this_thread::sleep_for(std::min<Clock::duration>(left, kPollInterval));
      return;
    }
    const auto whole = std::chrono::ceil<std::chrono::milliseconds>(
        std::min<Clock::duration>(left, kMaxInterruptWait));
    access_.interrupt->wait(whole);
  }

  [[noreturn]] void throw_fault(const RunRequest& request, const BufferRange& arena,
                                uint32_t status) {
    if (const uint32_t ports = bus().read(hw::kRegister_bus_error); ports != 0) {
      fail(ErrorCode::kDevice,
           "core at {}: memory responded with errors at {}: the bus has no memory at the "
           "arena's address {:#x}",
           uri_, fmt::join(names_of(ports, kPortNames), ", "), request.arena.bytes);
    }
    Fault fault;
    fault.code = static_cast<isa::FaultCode>(bus().read(hw::kRegister_fault_code));
    fault.index = bus().read(hw::kRegister_fault_index);
    fault.value = hw::read_register64(bus(), hw::kRegister_fault_value);
    if (fault.code == isa::kDeadlock) fault.waiting = waiting_stages(status, fault.index);
    // Read only for faults: reading uncached memory in every run would be slow.
    arena.buffer->sync_from_core(arena.offset_bytes + request.program_offset_bytes,
                                 uint64_t{request.num_instructions} * isa::kInstructionBytes);
    throw DeviceFault(
        fault.code, fault.index, fault.value,
        fault_message(fault, instructions_of(request, arena.host()), core_, request.arena_bytes));
  }

  std::vector<WaitingStage> waiting_stages(uint32_t status, uint32_t first_index) {
    const uint32_t busy = (status & hw::kBits_status_stage_busy) /
                          (hw::kBits_status_stage_busy & -hw::kBits_status_stage_busy);
    const uint32_t first = bus().read(hw::kRegister_fault_stage);
    std::vector<WaitingStage> waiting;
    for (uint32_t stage = 0; stage < std::size(hw::kStageNames); ++stage) {
      if ((busy >> stage & 1) == 0) continue;
      waiting.push_back(
          {hw::kStageNames[stage], stage == first ? first_index : UINT32_MAX, "", false});
    }
    return waiting;
  }

  const std::string uri_;
  const CoreConfig core_;
  CoreAccess access_;
  BufferTable buffers_;  // destroyed before the allocator
  std::optional<Snapshots> snapshots_;
};

}  // namespace

void check_core(hw::RegisterBus& registers, const std::string& name, const CoreConfig& core) {
  const CoreConfig found = hw::read_core_config(registers, name);
  if (found.same_hardware(core)) return;
  std::vector<std::string> differences;
  for (const CoreField& field : kCoreFields) {
    if (found.*field.member == core.*field.member) continue;
    differences.push_back(
        fmt::format("{} is {}, not {}", field.key, found.*field.member, core.*field.member));
  }
  if (found.extension != core.extension) {
    differences.push_back(fmt::format("extension is {}, not {}", found.extension, core.extension));
  }
  fail(ErrorCode::kDevice, "core at {}: expected core {}, but in its registers {}", name, core.name,
       fmt::join(differences, ", "));
}

std::unique_ptr<Device> make_register_device(const std::string& uri, const CoreConfig& core,
                                             CoreAccess access) {
  return std::make_unique<RegisterDevice>(uri, core, std::move(access));
}

}  // namespace vta::driver
