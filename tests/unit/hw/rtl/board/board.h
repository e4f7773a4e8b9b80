// SPDX-License-Identifier: Apache-2.0
//
// The Verilated board top with DRAM at its masters, driven by software through its registers only.
// A port of registers with a bridge in front works, too: no handshake is assumed to take one cycle.
#ifndef VTA_TESTS_UNIT_HW_RTL_BOARD_BOARD_H_
#define VTA_TESTS_UNIT_HW_RTL_BOARD_BOARD_H_

#include <Vvta_top.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "configs/memory_config.h"
#include "hw/registers/register_bus.h"
#include "sim/memory/axi_slave.h"

namespace vta::driver {

class Board : public hw::RegisterBus {
 public:
  // `dram`: memory of the bus from address 0 on; must outlive the board.
  Board(const MemoryConfig& memory, std::vector<uint8_t>& dram);

  // AXI4-Lite transactions of several cycles each.
  uint32_t read(uint32_t offset) override;
  void write(uint32_t offset, uint32_t value) override;

  void step(int cycles = 1);
  // A pulse of aresetn, which also resets the bus.
  void reset();

  // A soft reset with `start`, for a program in an arena.
  struct Arena {
    uint32_t base_bytes, size_bytes, program_offset_bytes, num_instructions;
  };
  void start(const Arena& arena);
  // Polls until the run has ended; returns the status.
  uint32_t wait(int max_cycles = 2'000'000);

  // The response to accesses outside `dram`, in place of kAxiSlaveError.
  void answer_errors_with(uint8_t response) { error_response_ = response; }

  // No burst, beat or response is in flight.
  bool is_bus_quiet() const;
  // Beats whose strobes were 0.
  uint64_t empty_beats() const { return empty_beats_; }

 private:
  // Handshakes of the register port at the last clock edge.
  struct Handshakes {
    bool write_address, write_data, write_response, read_address, read_data;
    uint32_t value;    // if read_data
    uint8_t response;  // of AXI, if read_data or write_response
  };

  uint8_t response(uint8_t of_slave) const {
    return of_slave == sim::kAxiOkay ? of_slave : error_response_;
  }
  void drive_read(size_t master);
  void sample_read(size_t master);
  void sample_strobes();
  void sample_registers();

  std::vector<uint8_t>& bytes_;
  uint8_t error_response_ = sim::kAxiSlaveError;
  sim::DramModel dram_;
  // By the number of the master in vta_top.
  std::array<sim::AxiReadSlave, 4> reads_ = {sim::AxiReadSlave{dram_, MemoryMaster::kFetch},
                                             {dram_, MemoryMaster::kLoad},
                                             {dram_, MemoryMaster::kUop},
                                             {dram_, MemoryMaster::kAcc}};
  sim::AxiWriteSlave store_{dram_, MemoryMaster::kStore};
  Vvta_top top_;
  Handshakes taken_ = {};
  uint64_t empty_beats_ = 0;
};

}  // namespace vta::driver

#endif  // VTA_TESTS_UNIT_HW_RTL_BOARD_BOARD_H_
