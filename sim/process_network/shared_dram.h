// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_PROCESS_NETWORK_SHARED_DRAM_H_
#define VTA_SIM_PROCESS_NETWORK_SHARED_DRAM_H_

#include <vector>

#include "sim/memory/dram_model.h"
#include "sim/process_network/core_dram.h"

namespace vta::process_network {

// DRAM with limited bandwidth, where each beat depends on all requests: simulates DramModel in the
// cycles with activity.
class SharedDram : public CoreDram {
 public:
  SharedDram(ProcessNetwork& network, const MemoryConfig& config);

  void add(ReadPort& port, MemoryMaster master) override;
  void add(WritePort& port, MemoryMaster master) override;

  void read_may_issue(ReadPort& port) override;
  void write_may_move(WritePort& port) override;
  Cycle next_event() const override;
  void handle_events() override;

  Cycle last_cycle() const override { return last_cycle_; }

 private:
  // The model's cycle for a cycle of the network: the model starts with cycle 1.
  static uint64_t in_model(Cycle at) { return at + 1; }
  void simulate_cycle();
  void issue_reads(Cycle at);
  void move_writes(Cycle at);

  ProcessNetwork& network_;
  sim::DramModel model_;
  std::vector<ReadPort*> readers_;
  std::vector<WritePort*> writers_;
  Cycle next_ = 0;  // the next cycle to simulate
  Cycle last_cycle_ = 0;
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_SHARED_DRAM_H_
