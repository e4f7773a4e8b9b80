// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/rtl/board/board.h"

#include <gtest/gtest.h>

#include "sim/rtl/axi_pins.h"

namespace vta::driver {
namespace {

constexpr int kMaxAccessCycles = 40, kResetCycles = 4;

}  // namespace

Board::Board(const MemoryConfig& memory, std::vector<uint8_t>& dram) : bytes_(dram), dram_(memory) {
  reset();
}

void Board::reset() {
  dram_.reset(bytes_.data(), bytes_.size());
  fetch_.reset(), load_.reset(), uop_.reset(), acc_.reset(), store_.reset();
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
    VTA_DRIVE_READ(top_, m_axi_fetch, fetch_)
    VTA_DRIVE_READ(top_, m_axi_load, load_)
    VTA_DRIVE_READ(top_, m_axi_uop, uop_)
    VTA_DRIVE_READ(top_, m_axi_acc, acc_)
    VTA_DRIVE_WRITE(top_, m_axi_store, store_)
    replace_error_responses();
    top_.eval();
    sample_constants();
    sample_registers();
    VTA_SAMPLE_READ(top_, m_axi_fetch, fetch_)
    VTA_SAMPLE_READ(top_, m_axi_load, load_)
    VTA_SAMPLE_READ(top_, m_axi_uop, uop_)
    VTA_SAMPLE_READ(top_, m_axi_acc, acc_)
    VTA_SAMPLE_WRITE(top_, m_axi_store, store_)
    top_.aclk = 1;
    top_.eval();
  }
}

void Board::replace_error_responses() {
  for (auto* response : {&top_.m_axi_fetch_rresp, &top_.m_axi_load_rresp, &top_.m_axi_uop_rresp,
                         &top_.m_axi_acc_rresp, &top_.m_axi_store_bresp})
    if (*response != sim::kAxiOkay) *response = error_response_;
}

// 8 bytes a beat, incrementing, one ID; all strobes or none.
void Board::sample_constants() {
  const bool is_load_right = top_.m_axi_load_arsize == 3 && top_.m_axi_load_arburst == 1 &&
                             top_.m_axi_load_arid == 0 && top_.m_axi_load_arlock == 0;
  const bool is_store_right = top_.m_axi_store_awsize == 3 && top_.m_axi_store_awburst == 1 &&
                              top_.m_axi_store_awid == 0 && top_.m_axi_store_wid == 0;
  EXPECT_TRUE(is_load_right && is_store_right);
  if (!top_.m_axi_store_wvalid || !top_.m_axi_store_wready) return;
  if (top_.m_axi_store_wstrb == 0) {
    ++empty_beats_;
  } else {
    EXPECT_EQ(top_.m_axi_store_wstrb, 0xFF);
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
  return dram_.is_quiet() && fetch_.is_quiet() && load_.is_quiet() && uop_.is_quiet() &&
         acc_.is_quiet() && store_.is_quiet();
}

}  // namespace vta::driver
