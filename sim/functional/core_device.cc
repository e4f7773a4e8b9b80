// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/core_device.h"

#include "driver/fault_message.h"
#include "driver/memory_device.h"
#include "driver/run_request.h"
#include "sim/functional/race_checker.h"

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
        runner_(std::move(runner)) {}

  driver::DeviceDescription describe() const override { return {uri_, config_, timed_}; }
  hw::Counters run(const driver::RunRequest& request) override {
    const auto deadline = driver::deadline_after(request.timeout);
    driver::check(request);
    uint8_t* const arena = arena_of(request);
    const std::vector<isa::InstructionBits> stream = driver::instructions_of(request, arena);
    const auto time_is_over = [&] {
      fail(ErrorCode::kTimeout, "the program did not end within {} ms", request.timeout.count());
    };
    const std::unique_ptr<RaceChecker> races = RaceChecker::create(stream, config_, [&] {
      if (std::chrono::steady_clock::now() >= deadline) time_is_over();
    });
    const NativeRun run = run_core(request, arena, deadline, races.get());
    if (run.timed_out) time_is_over();
    if (run.fault != isa::kNoFault) {
      throw driver::DeviceFault(
          run.fault, run.index, run.value,
          driver::fault_message({run.fault, run.index, run.value, run.waiting}, stream, config_,
                                request.arena_bytes));
    }
    if (races != nullptr) races->throw_if_found();
    return run.counters;
  }

 private:
  NativeRun run_core(const driver::RunRequest& request, uint8_t* arena,
                     std::chrono::steady_clock::time_point deadline, RaceChecker* races) {
    try {
      return runner_(arena, request.arena_bytes,
                     static_cast<uint32_t>(request.program_offset_bytes), request.num_instructions,
                     deadline, races);
    } catch (const Error&) {
      if (races != nullptr)
        races->throw_if_found();  // a race may be the reason for a difference of two cores
      throw;
    }
  }

  std::string uri_;
  CoreConfig config_;
  bool timed_;
  CoreRunner runner_;
};

}  // namespace

std::unique_ptr<driver::Device> make_core_device(const std::string& uri, const CoreConfig& core,
                                                 bool timed, CoreRunner runner) {
  return std::make_unique<CoreDevice>(uri, core, timed, std::move(runner));
}

}  // namespace vta::sim
