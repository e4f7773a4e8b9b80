// SPDX-License-Identifier: Apache-2.0
//
// The Verilated board top with DRAM at its masters, and software that has its registers only.
#ifndef VTA_TESTS_UNIT_HW_RTL_BOARD_BOARD_H_
#define VTA_TESTS_UNIT_HW_RTL_BOARD_BOARD_H_

#include <Vvta_top.h>

#include <cstdint>
#include <vector>

#include "configs/memory_config.h"
#include "hw/registers/register_bus.h"
#include "sim/memory/axi_slave.h"

namespace vta::driver {

class Board : public RegisterBus {
 public:
  // `dram`: what the bus has from address 0 on; it outlives the board.
  Board(const MemoryConfig& memory, std::vector<uint8_t>& dram);

  // Transactions of AXI4-Lite, each some cycles long.
  uint32_t read(uint32_t offset) override;
  void write(uint32_t offset, uint32_t value) override;

  void step(int cycles = 1);
  // A pulse of aresetn, which is the bus's reset, too.
  void reset();

  // A soft reset with `start`, for a program in an arena.
  struct Arena {
    uint32_t base_bytes, size_bytes, program_offset_bytes, num_instructions;
  };
  void start(const Arena& arena);
  // Polls until the run has ended; the status.
  uint32_t wait(int most_cycles = 2'000'000);

  // No burst is under way, nor a beat or an answer.
  bool is_bus_quiet() const;
  // Beats that wrote no byte.
  uint64_t empty_beats() const { return empty_beats_; }

 private:
  void sample_constants();

  std::vector<uint8_t>& bytes_;
  sim::DramModel dram_;
  sim::AxiReadSlave fetch_{dram_, MemoryMaster::kFetch}, load_{dram_, MemoryMaster::kLoad},
      uop_{dram_, MemoryMaster::kUop}, acc_{dram_, MemoryMaster::kAcc};
  sim::AxiWriteSlave store_{dram_, MemoryMaster::kStore};
  Vvta_top top_;
  uint64_t empty_beats_ = 0;
};

}  // namespace vta::driver

#endif  // VTA_TESTS_UNIT_HW_RTL_BOARD_BOARD_H_
