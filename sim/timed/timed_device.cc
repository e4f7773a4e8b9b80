// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/timed_device.h"

#include "configs/memory_config.h"
#include "hw/isa/program_bytes.h"
#include "sim/functional/core_device.h"
#include "sim/timed/part_ends.h"
#include "sim/timed/run_listener.h"

namespace vta::sim {
namespace {

MemoryConfig memory_of(const std::string& uri) {
  const size_t colon = uri.find(':');
  return load_memory_config(colon == std::string::npos ? kDefaultMemory : uri.substr(colon + 1));
}

// Records the core's next run into `trace`.
class Recording {
 public:
  Recording(TimedCore& core, RunTrace& trace) : core_(core) { core_.record(&trace); }
  ~Recording() { core_.record(nullptr); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  TimedCore& core_;
};

class TimedDevice : public WaveformDevice {
 public:
  TimedDevice(const std::string& name, const CoreConfig& config, const MemoryConfig& memory,
              const TimedCoreFactory& make, bool computes)
      : config_(config), memory_(memory), make_(make), computes_(computes) {
    core_ = make_(config_, memory_, nullptr);
    device_ = make_core_device(
        name, config, true,
        [this](uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
               const Deadline& deadline) {
          const auto run = [&] {
            return core_->run(arena, arena_bytes, program_offset_bytes, count, deadline, nullptr);
          };
          if (listener_ == nullptr && request_->part_ends == nullptr) return run();
          return run_recorded(run, {arena + program_offset_bytes, count * isa::kInstructionBytes});
        });
  }

  driver::DeviceDescription describe() const override {
    driver::DeviceDescription description = device_->describe();
    description.computes = computes_;
    return description;
  }
  driver::DeviceAddress allocate(uint64_t size_bytes) override {
    return device_->allocate(size_bytes);
  }
  void free(driver::DeviceAddress address) override { device_->free(address); }
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    device_->copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    device_->copy_out(dst, src);
  }
  hw::Counters run(const driver::RunRequest& request) override {
    request_ = &request;
    const hw::Counters counters = device_->run(request);
    cycles_ += numbered_cycles(counters);
    return counters;
  }

  void record(const WaveformRequest& request) override {
    VTA_ASSERT(cycles_ == 0, "waveforms must be requested before the first run");
    core_ = make_(config_, memory_, &request);
  }
  void record_runs(RunListener& listener) override {
    VTA_ASSERT(cycles_ == 0, "a recording must be requested before the first run");
    listener_ = &listener;
    listener.begin(describe());
  }
  uint64_t end_recording() override {
    core_->end_waveform();
    return cycles_;
  }

 private:
  template <class Run>
  NativeRun run_recorded(Run&& run, std::span<const uint8_t> program) {
    RunTrace trace;
    const Recording recording(*core_, trace);
    NativeRun end = run();
    if (end.timed_out) return end;
    const std::vector<driver::PartEnd> ends = part_ends(trace, request_->parts);
    if (request_->part_ends != nullptr) *request_->part_ends = ends;
    if (listener_ != nullptr) {
      const std::vector<isa::InstructionBits> stream = isa::instructions_in(program);
      listener_->add({request_->name, request_->parts, ends, cycles_, stream, trace, end});
    }
    return end;
  }

  const CoreConfig config_;
  const MemoryConfig memory_;
  const TimedCoreFactory make_;
  const bool computes_;
  std::unique_ptr<TimedCore> core_;
  std::unique_ptr<driver::Device> device_;
  uint64_t cycles_ = 0;
  RunListener* listener_ = nullptr;
  const driver::RunRequest* request_ = nullptr;  // of the current run
};

}  // namespace

std::unique_ptr<WaveformDevice> make_timed_device(const std::string& name, const CoreConfig& core,
                                                  const MemoryConfig& memory,
                                                  const TimedCoreFactory& make, bool computes) {
  return std::make_unique<TimedDevice>(name, core, memory, make, computes);
}

std::unique_ptr<WaveformDevice> open_timed_device(const std::string& uri, const CoreConfig& core,
                                                  const TimedCoreFactory& make, bool computes) {
  return make_timed_device(uri, core, memory_of(uri), make, computes);
}

}  // namespace vta::sim
