// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_RTL_WRITE_ADDRESSES_H_
#define VTA_SIM_RTL_WRITE_ADDRESSES_H_

#include <cstdint>
#include <deque>

#include "sim/memory/dram_model.h"
#include "sim/rtl/rtl_core.h"

namespace vta::sim {

// Gives each beat of a write channel its address, that of its burst and its place in it, and tells
// an observer, if there is one.
class WriteAddresses {
 public:
  void start(WriteObserver* observer) {
    observer_ = observer;
    bursts_.clear();
  }
  void burst(uint64_t address, uint32_t beats) {
    if (observer_ != nullptr) bursts_.push_back({address, beats});
  }
  void beat(uint64_t cycle, uint64_t value) {
    if (observer_ == nullptr) return;
    Burst& burst = bursts_.front();  // DramModel takes a beat only if its burst is known
    const uint64_t address = burst.address;
    burst.address += DramModel::kBeatBytes;
    if (--burst.beats == 0) bursts_.pop_front();
    observer_->beat_written(cycle, address, value);
  }

 private:
  struct Burst {
    uint64_t address;  // of its next beat
    uint32_t beats;    // that are missing
  };
  WriteObserver* observer_ = nullptr;
  std::deque<Burst> bursts_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_WRITE_ADDRESSES_H_
