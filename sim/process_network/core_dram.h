// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_PROCESS_NETWORK_CORE_DRAM_H_
#define VTA_SIM_PROCESS_NETWORK_CORE_DRAM_H_

#include <array>
#include <memory>

#include "configs/memory_config.h"
#include "sim/memory/beat_counts.h"
#include "sim/process_network/dram_ports.h"

namespace vta::process_network {

// DRAM behind the ports of one network: sim/memory's DramModel in time.
class CoreDram : public Dram, public EventSource {
 public:
  // The network's ports, each once, in the order of their masters.
  virtual void add(ReadPort& port, MemoryMaster master) = 0;
  virtual void add(WritePort& port, MemoryMaster master) = 0;

  // The last cycle in which a burst was under way.
  virtual Cycle last_cycle() const = 0;

  // Beats are counted from now on.
  void count_beats(std::array<sim::BeatCounts, kNumMemoryMasters>& beats) { beats_ = &beats; }

 protected:
  // `count` beats, one a cycle from cycle `at` on.
  void beats_move(MemoryMaster master, Cycle at, uint32_t count) {
    if (beats_ != nullptr) (*beats_)[static_cast<size_t>(master)].add(at, count);
  }

 private:
  std::array<sim::BeatCounts, kNumMemoryMasters>* beats_ = nullptr;
};

std::unique_ptr<CoreDram> make_dram(ProcessNetwork& network, const MemoryConfig& config);

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_CORE_DRAM_H_
