// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/core_device.h"

#include <span>

#include "driver/fault_message.h"
#include "driver/memory_device.h"
#include "driver/run_request.h"
#include "sim/functional/checked_streams.h"

namespace vta::sim {
namespace {

// Addresses of the core are 32 bits wide.
constexpr uint64_t kCapacityBytes = uint64_t{4} << 30;

class CoreDevice : public driver::MemoryDevice {
 public:
  CoreDevice(std::string uri, const CoreConfig& config, bool timed, CoreRunner runner)
      : MemoryDevice(kCapacityBytes),
        uri_(std::move(uri)),
        config_(config),
        timed_(timed),
        runner_(std::move(runner)),
        checked_streams_(config) {}

  driver::DeviceDescription describe() const override { return {uri_, config_, timed_}; }
  hw::Counters run(const driver::RunRequest& request) override {
    const Deadline deadline = driver::deadline_of(request);
    driver::check(request);
    uint8_t* const arena = arena_of(request);
    const std::vector<isa::InstructionBits> stream = driver::instructions_of(request, arena);
    const std::string flaw = checked_streams_.flaw_of(stream, std::span(arena, request.arena_bytes),
                                                      request.program_offset_bytes, [&] {
                                                        if (deadline.has_passed())
                                                          driver::fail_at_deadline(request);
                                                      });
    NativeRun run;
    try {
      run = runner_(arena, request.arena_bytes, static_cast<uint32_t>(request.program_offset_bytes),
                    request.num_instructions, deadline);
      if (run.timed_out) driver::fail_at_deadline(request);
    } catch (const Error& error) {
      // A race may be the reason why two cores differ, or why a run does not end.
      if (flaw.empty()) throw;
      fail(error.code(), "{}; {}", error.what(), flaw);
    }
    if (run.fault != isa::kNoFault) fail_fault(run, request, stream, flaw);
    if (!flaw.empty()) fail(ErrorCode::kDevice, "{}", flaw);
    return run.counters;
  }

 private:
  [[noreturn]] void fail_fault(const NativeRun& run, const driver::RunRequest& request,
                               std::span<const isa::InstructionBits> stream,
                               const std::string& flaw) const {
    std::string message = driver::fault_message({run.fault, run.index, run.value, run.waiting},
                                                stream, config_, request.arena_bytes);
    if (!flaw.empty()) message += "; " + flaw;
    throw driver::DeviceFault(run.fault, run.index, run.value, message);
  }

  std::string uri_;
  CoreConfig config_;
  bool timed_;
  CoreRunner runner_;
  CheckedStreams checked_streams_;
};

}  // namespace

std::unique_ptr<driver::Device> make_core_device(const std::string& uri, const CoreConfig& core,
                                                 bool timed, CoreRunner runner) {
  return std::make_unique<CoreDevice>(uri, core, timed, std::move(runner));
}

}  // namespace vta::sim
