// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_PROCESS_NETWORK_UNCONTENDED_DRAM_H_
#define VTA_SIM_PROCESS_NETWORK_UNCONTENDED_DRAM_H_

#include <array>
#include <vector>

#include "configs/memory_config.h"
#include "sim/memory/random_delays.h"
#include "sim/process_network/core_dram.h"

namespace vta::process_network {

// DramModel with sufficient bandwidth: the cycles of a burst are known at its request, because only
// bursts of the same channel can delay it. One master writes through a port.
class UncontendedDram : public CoreDram {
 public:
  explicit UncontendedDram(ProcessNetwork& network, const MemoryConfig& config);

  // True if `config` has sufficient bandwidth.
  static bool fits(const MemoryConfig& config);

  void add(ReadPort& port, MemoryMaster master) override;
  void add(WritePort& port, MemoryMaster master) override;

  void read_may_issue(ReadPort& port) override;
  void write_may_move(WritePort& port) override;
  Cycle next_event() const override { return next_event_; }
  void handle_events() override;

  Cycle last_cycle() const override { return last_cycle_; }

 private:
  struct Reader {
    ReadPort* port;
    size_t channel;        // of the memory
    Cycle free_from = 0;   // after the gap between requests
    Cycle issue = kNever;  // of the oldest request
    uint64_t count = 0;
  };
  struct Writer {
    WritePort* port;
    Cycle free_from = 0;                    // after the gap between requests
    Cycle beat_from = 0;                    // earliest cycle of the next beat
    Cycle last_response = kNever;           // wraps to 0
    uint64_t num_issued = 0, num_sent = 0;  // bursts
    uint32_t beat = 0;                      // of the burst being sent
  };
  size_t channel_of(MemoryMaster master) const { return config_.port[static_cast<size_t>(master)]; }
  uint64_t pause_after(const sim::BurstId& burst, uint32_t beat) const {
    return config_.pause_percent == 0 ? 0 : delays_.pause(burst, beat);
  }
  // Issues the oldest request if possible, or schedules an event if others share the channel.
  void consider(Reader& reader);
  void find_next();
  void issue(Reader& reader);
  bool issue_write(Writer& writer);
  bool send_beat(Writer& writer);

  const MemoryConfig config_;
  const sim::RandomDelays delays_;
  ProcessNetwork& network_;
  std::vector<Reader> readers_;
  std::vector<Writer> writers_;
  std::array<size_t, kNumMemoryMasters> place_of_{};  // of a master in readers_ or writers_
  std::vector<Cycle> read_free_;                      // next free cycle by channel
  std::vector<uint32_t> readers_of_;                  // by channel
  Cycle next_event_ = kNever;
  size_t next_reader_ = 0;
  Cycle last_cycle_ = 0;
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_UNCONTENDED_DRAM_H_
