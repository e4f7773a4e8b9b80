// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_PROCESS_NETWORK_CORE_DRAM_H_
#define VTA_SIM_PROCESS_NETWORK_CORE_DRAM_H_

#include <array>
#include <memory>

#include "configs/memory_config.h"
#include "sim/memory/beat_counts.h"
#include "sim/process_network/dram_ports.h"

namespace vta::process_network {

// The DRAM at the ports of one process network: the timing of sim/memory's DramModel.
class CoreDram : public Dram, public EventSource {
 public:
  // Adds the network's ports, each once, in the order of their masters.
  virtual void add(ReadPort& port, MemoryMaster master) = 0;
  virtual void add(WritePort& port, MemoryMaster master) = 0;

  // The last cycle with a burst in flight.
  virtual Cycle last_cycle() const = 0;

  // Counts beats from now on.
  void count_beats(std::array<sim::BeatCounts, kNumMemoryMasters>& beats) { beats_ = &beats; }

 protected:
  // Counts `count` beats, one per cycle from cycle `at` on.
  void beats_move(MemoryMaster master, Cycle at, uint32_t count) {
    if (beats_ != nullptr) (*beats_)[static_cast<size_t>(master)].add(at, count);
  }

 private:
  std::array<sim::BeatCounts, kNumMemoryMasters>* beats_ = nullptr;
};

std::unique_ptr<CoreDram> make_dram(ProcessNetwork& network, const MemoryConfig& config);

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_CORE_DRAM_H_
