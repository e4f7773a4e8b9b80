// SPDX-License-Identifier: Apache-2.0
//
// What a program does before and at its first access to the FPGA, on a fake Zynq.
#include "driver/linux/first_access.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "driver/linux/guarded_read.h"
#include "driver/linux/zynq_registers.h"
#include "tests/unit/driver/uio/uio_fixture.h"

namespace vta::driver {
namespace {

struct FirstAccess : Uio {
  FirstAccess() {
    board.add_pynq_nodes();
    board.add_u_dma_buf("udmabuf0", 1 << 20);
  }
  // The registers have no bytes: an access is a bus error.
  void expect_refused_without_an_access(const std::string& part) {
    std::filesystem::resize_file(board.roots.dev / "uio1", 0);
    expect_open_error("uio:", part);
    expect_open_error("uio:", "would stop this machine");
  }
  volatile uint32_t& system_word(uint64_t base, uint32_t offset) {
    const std::filesystem::path path = board.roots.dev / "mem";
    if (!std::filesystem::exists(path)) {
      board.write(path, "");
      std::filesystem::resize_file(path, uint64_t{1} << 32);
    }
    pages.emplace_back(open_file(path, O_RDWR), base, 4096, path);
    return zynq::word(pages.back(), offset);
  }
  void show_done(bool is_done) {
    system_word(zynq::kSlcrBase, zynq::kPcapClock) = 1;
    system_word(zynq::kDevcfgBase, zynq::kMiscControl) = 3U << 28;
    system_word(zynq::kDevcfgBase, zynq::kInterruptStatus) = is_done ? 4 : 0;
  }
  std::vector<Mapping> pages;
};

TEST_F(FirstAccess, IsRefusedInEachStateButOperating) {
  for (const char* state : {"unknown", "power off", "reset", "firmware request", "write init",
                            "write", "write error", "write complete error"}) {
    board.set_fpga_state(state);
    expect_refused_without_an_access(fmt::format("fpga0 is '{}', expected 'operating'", state));
    expect_refused_without_an_access("vta-flash --board pynq-z1 vta.bit");
  }
}

TEST_F(FirstAccess, IsRefusedWhereTheDoneBitIsZero) {
  show_done(false);
  expect_refused_without_an_access("its DONE bit is 0, although fpga0 is 'operating'");
  std::filesystem::remove_all(board.roots.sys / "class/fpga_manager");
  expect_refused_without_an_access("its DONE bit is 0");
}

// Its clock is stopped while the kernel does not load; an emulator is never done.
TEST_F(FirstAccess, IgnoresADoneBitThatCannotBeRead) {
  begin();
  show_done(false);
  system_word(zynq::kSlcrBase, zynq::kPcapClock) = 0;
  EXPECT_NO_THROW(open("uio:"));
  show_done(false);
  system_word(zynq::kDevcfgBase, zynq::kMiscControl) = 2U << 28 | 1U << 3;
  EXPECT_NO_THROW(open("uio:"));
  show_done(false);
  board.write(board.roots.proc / "device-tree/compatible", "another,machine");
  EXPECT_NO_THROW(open("uio:")) << "other machines have other registers there";
}

TEST_F(FirstAccess, BelievesTheDoneBitOfADesignThatADebuggerLoaded) {
  begin();
  show_done(true);
  for (const char* state : {"operating", "unknown"}) {
    board.set_fpga_state(state);
    EXPECT_NO_THROW(open("uio:")) << state;
  }
  board.set_fpga_state("write error");
  expect_open_error("uio:", "not configured");
}

TEST_F(FirstAccess, IsRefusedWhereTheClockIsStopped) {
  system_word(zynq::kSlcrBase, zynq::kFclk0Throttle) = 1;
  expect_refused_without_an_access("its clock FCLK0 is stopped (bit 0 of 0xf8000178)");
  expect_open_error("uio:", "vta-flash --check starts it");
}

TEST_F(FirstAccess, TurnsABusErrorIntoAnError) {
  std::filesystem::resize_file(board.roots.dev / "uio1", 0);
  expect_open_error("uio:", "core at uio:: the read of its magic is a bus error: no core is there");
  expect_open_error("uio:", "PYNQ's base overlay");
}

TEST_F(FirstAccess, WritesNothingToAnotherDesign) {
  const FileDescriptor file = open_file(board.roots.dev / "uio1", O_RDWR);
  const Mapping page(file, 0, 0x10000, "uio1");
  std::fill_n(page.data(), 0x10000, 0x33);
  expect_open_error("uio:", "its magic is 0x33333333, not 0x43415456");
  EXPECT_EQ(std::count(page.data(), page.data() + 0x10000, 0x33), 0x10000);
}

TEST_F(FirstAccess, IsCheckedForOthersAtAPhysicalAddress) {
  system_word(0x43C0'0000, 0) = 0x43415456;
  EXPECT_NO_THROW(check_core_at(0x43C0'0000, "xrt:0", board.roots));
  system_word(0x43C0'0000, 0) = 1;
  EXPECT_THROW(check_core_at(0x43C0'0000, "xrt:0", board.roots), Error);
  board.write(board.roots.proc / "device-tree/compatible", "another,machine");
  EXPECT_NO_THROW(check_core_at(0x43C0'0000, "xrt:0", board.roots));
  board.set_fpga_state("unknown");
  EXPECT_THROW(check_core_at(0x43C0'0000, "xrt:0", board.roots), Error);
}

// Mapped memory beyond the end of its file.
struct GuardedRead : testing::Test {
  const volatile uint32_t* missing() const {
    return reinterpret_cast<const volatile uint32_t*>(page.data());
  }
  static struct sigaction handler() {
    struct sigaction found{};
    ::sigaction(SIGBUS, nullptr, &found);
    return found;
  }
  ScratchFolder folder;
  const FileDescriptor file{::open((folder.path() / "empty").c_str(), O_RDWR | O_CREAT, 0600)};
  const Mapping page{file, 0, 4096, "empty"};
};

std::atomic<int> signals = 0;
void count(int) { ++signals; }

TEST_F(GuardedRead, LeavesTheHandlerOfSigbusAsItWas) {
  struct sigaction own{};
  own.sa_handler = count;
  struct sigaction before{};
  ASSERT_EQ(::sigaction(SIGBUS, &own, &before), 0);
  const uint32_t value = 17;
  EXPECT_EQ(read_guarded(&value), 17u);
  EXPECT_EQ(handler().sa_handler, count);
  EXPECT_EQ(read_guarded(missing()), std::nullopt);
  EXPECT_EQ(read_guarded(missing()), std::nullopt) << "the signal is not blocked";
  EXPECT_EQ(handler().sa_handler, count);
  EXPECT_EQ(signals, 0);
  ::raise(SIGBUS);
  EXPECT_EQ(signals, 1);
  ::sigaction(SIGBUS, &before, nullptr);
}

TEST_F(GuardedRead, IsSafeFromManyThreads) {
  const auto before = handler().sa_handler;  // a sanitizer has its own
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const uint32_t value = 5;
      for (int read = 0; read < 200; ++read) {
        EXPECT_EQ(read_guarded(missing()), std::nullopt);
        EXPECT_EQ(read_guarded(&value), 5u);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(handler().sa_handler, before);
}

}  // namespace
}  // namespace vta::driver
