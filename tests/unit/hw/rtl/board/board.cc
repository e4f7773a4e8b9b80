// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/rtl/board/board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>

#include "sim/rtl/axi_pins.h"

namespace vta::driver {
namespace {

constexpr int kMaxAccessCycles = 40, kResetCycles = 4;

// Sets the part `index` of a packed array of parts of `bits` bits, as Verilator has it.
void set_part(auto& pins, size_t index, int bits, uint32_t value) {
  const uint32_t mask = ((1u << bits) - 1) << (index * bits);
  pins = static_cast<std::remove_reference_t<decltype(pins)>>((pins & ~mask) |
                                                              (value << (index * bits)));
}
uint32_t part(uint32_t pins, size_t index, int bits) {
  return (pins >> (index * bits)) & ((1u << bits) - 1);
}

}  // namespace

Board::Board(const MemoryConfig& memory, std::vector<uint8_t>& dram) : bytes_(dram), dram_(memory) {
  reset();
}

void Board::reset() {
  dram_.reset(bytes_.data(), bytes_.size());
  for (sim::AxiReadSlave& slave : reads_) slave.reset();
  store_.reset();
  top_.aresetn = 0;
  for (int i = 0; i < kResetCycles; ++i) {
    top_.aclk = 0;
    top_.eval();
    top_.aclk = 1;
    top_.eval();
  }
  top_.aresetn = 1;
  step(kResetCycles);  // a board may synchronize its reset with flip-flops
}

void Board::step(int cycles) {
  for (int i = 0; i < cycles; ++i) {
    top_.aclk = 0;
    dram_.begin_cycle();
    for (size_t master = 0; master < reads_.size(); ++master) drive_read(master);
    VTA_DRIVE_WRITE(top_, m_axi, store_)
    top_.m_axi_bresp = response(top_.m_axi_bresp);
    top_.eval();
    sample_strobes();
    sample_registers();
    for (size_t master = 0; master < reads_.size(); ++master) sample_read(master);
    VTA_SAMPLE_WRITE(top_, m_axi, store_)
    top_.aclk = 1;
    top_.eval();
  }
}

void Board::drive_read(size_t master) {
  const sim::AxiReadSlavePins& driven = reads_[master].drive();
  set_part(top_.m_axi_arready, master, 1, driven.arready);
  set_part(top_.m_axi_rvalid, master, 1, driven.rvalid);
  if (!driven.rvalid) return;
  top_.m_axi_rdata[2 * master] = static_cast<uint32_t>(driven.rdata);
  top_.m_axi_rdata[2 * master + 1] = static_cast<uint32_t>(driven.rdata >> 32);
  set_part(top_.m_axi_rresp, master, 2, response(driven.rresp));
  set_part(top_.m_axi_rlast, master, 1, driven.rlast);
}

void Board::sample_read(size_t master) {
  reads_[master].sample({{part(top_.m_axi_arvalid, master, 1) != 0, top_.m_axi_araddr[master],
                          part(top_.m_axi_arlen, master, 4)},
                         part(top_.m_axi_rready, master, 1) != 0});
}

// All strobes or none.
void Board::sample_strobes() {
  if (!top_.m_axi_wvalid || !top_.m_axi_wready) return;
  if (top_.m_axi_wstrb == 0) {
    ++empty_beats_;
  } else {
    EXPECT_EQ(top_.m_axi_wstrb, 0xFF);
  }
}

void Board::sample_registers() {
  taken_ = {top_.s_axi_awvalid && top_.s_axi_awready,
            top_.s_axi_wvalid && top_.s_axi_wready,
            top_.s_axi_bvalid && top_.s_axi_bready,
            top_.s_axi_arvalid && top_.s_axi_arready,
            top_.s_axi_rvalid && top_.s_axi_rready,
            top_.s_axi_rdata,
            top_.s_axi_rvalid ? top_.s_axi_rresp : top_.s_axi_bresp};
}

uint32_t Board::read(uint32_t offset) {
  top_.s_axi_araddr = offset;
  top_.s_axi_arvalid = top_.s_axi_rready = 1;
  for (int cycle = 0; cycle < kMaxAccessCycles; ++cycle) {
    step();
    if (taken_.read_address) top_.s_axi_arvalid = 0;
    if (!taken_.read_data) continue;
    EXPECT_EQ(taken_.response, 0) << "reading " << std::hex << offset;
    top_.s_axi_rready = 0;
    return taken_.value;
  }
  ADD_FAILURE() << "no answer";
  return 0;
}

void Board::write(uint32_t offset, uint32_t value) {
  top_.s_axi_awaddr = offset;
  top_.s_axi_wdata = value;
  top_.s_axi_wstrb = 0xF;
  top_.s_axi_awvalid = top_.s_axi_wvalid = top_.s_axi_bready = 1;
  for (int cycle = 0; cycle < kMaxAccessCycles; ++cycle) {
    step();
    if (taken_.write_address) top_.s_axi_awvalid = 0;
    if (taken_.write_data) top_.s_axi_wvalid = 0;
    if (!taken_.write_response) continue;
    EXPECT_EQ(taken_.response, 0) << "writing " << std::hex << offset;
    top_.s_axi_bready = 0;
    return;
  }
  ADD_FAILURE() << "no answer";
}

void Board::start(const Arena& arena) {
  write(hw::kRegister_control, hw::kBits_control_soft_reset);
  write(hw::kRegister_dram_base_bytes, arena.base_bytes);
  hw::write_register64(*this, hw::kRegister_dram_size_bytes, arena.size_bytes);
  write(hw::kRegister_program_offset_bytes, arena.program_offset_bytes);
  write(hw::kRegister_num_instructions, arena.num_instructions);
  write(hw::kRegister_control, hw::kBits_control_start);
}

uint32_t Board::wait(int max_cycles) {
  for (int cycle = 0; cycle < max_cycles; cycle += 50) {
    const uint32_t status = read(hw::kRegister_status);
    if ((status & hw::kBits_status_running) == 0) return status;
    step(50);
  }
  return read(hw::kRegister_status);
}

bool Board::is_bus_quiet() const {
  const auto is_quiet = [](const sim::AxiReadSlave& slave) { return slave.is_quiet(); };
  return dram_.is_quiet() && std::ranges::all_of(reads_, is_quiet) && store_.is_quiet();
}

}  // namespace vta::driver
