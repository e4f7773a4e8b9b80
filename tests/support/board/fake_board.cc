// SPDX-License-Identifier: Apache-2.0
#include "tests/support/board/fake_board.h"

#include <fcntl.h>

#include <atomic>
#include <utility>

#include "base/files/file.h"

namespace vta::support {

using namespace driver;
using namespace hw;

namespace {

volatile uint32_t* word(uint8_t* page, uint32_t offset) {
  return reinterpret_cast<volatile uint32_t*>(page + offset);
}

}  // namespace

PolledPages::PolledPages(std::vector<uint8_t*> pages, RegisterBus& model, Interrupt interrupt)
    : pages_(std::move(pages)), model_(model), interrupt_(std::move(interrupt)) {
  show();
  thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
}

PolledPages::~PolledPages() = default;  // jthread requests the stop and joins

void PolledPages::serve(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    bool is_quiet = true;
    for (uint8_t* page : pages_) {
      const uint32_t command =
          std::atomic_ref(*const_cast<uint32_t*>(word(page, kRegister_control))).exchange(0);
      if (command == 0) continue;
      obey(page, command);
      is_quiet = false;
    }
    if (is_quiet) std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

void PolledPages::obey(uint8_t* page, uint32_t command) {
  for (const RegisterInfo& info : kRegisters) {
    if (info.access != RegisterAccess::kReadWrite) continue;
    for (uint32_t at = info.offset; at < info.offset + info.bits / 8; at += 4) {
      model_.write(at, *word(page, at));
    }
  }
  model_.write(kRegister_control, command);
  show();
  set_interrupt();
}

void PolledPages::show() {
  for (uint8_t* page : pages_) show_on(page);
}

// The status is written last: its readers see all other registers.
void PolledPages::show_on(uint8_t* page) {
  for (const RegisterInfo& info : kRegisters) {
    if (info.access != RegisterAccess::kReadOnly || info.offset == kRegister_status) continue;
    for (uint32_t at = info.offset; at < info.offset + info.bits / 8; at += 4) {
      *word(page, at) = model_.read(at);
    }
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
  *word(page, kRegister_status) = model_.read(kRegister_status);
}

// High from a run's end to the next soft reset.
void PolledPages::set_interrupt() {
  const bool is_high =
      (model_.read(kRegister_status) & (kBits_status_done | kBits_status_fault)) != 0;
  if (is_high != is_high_ && interrupt_) interrupt_(is_high);
  is_high_ = is_high;
}

FakeBoard::FakeBoard(const CoreConfig& core) : core_(core) {
  roots = SystemRoots::below(folder_.path());
  make_file(roots.dev / "ddr", kMemoryBytes);
  const FileDescriptor ddr = open_file(roots.dev / "ddr", O_RDWR);
  memory_.emplace(ddr, 0, kMemoryBytes, roots.dev / "ddr");
  write(roots.proc / "device-tree/compatible", std::string("xlnx,zynq-7000\0", 15));
  set_fpga_state("operating");
}

void FakeBoard::set_fpga_state(const std::string& state) {
  write(roots.sys / "class/fpga_manager/fpga0/state", state + "\n");
}

void FakeBoard::write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  write_file(file, text);
}

void FakeBoard::make_file(const std::filesystem::path& file, uint64_t size_bytes) {
  write(file, std::string());
  std::filesystem::resize_file(file, size_bytes);
}

void FakeBoard::add_node(const std::string& node, const std::string& name, uint64_t address,
                         uint64_t size_bytes) {
  const std::filesystem::path folder = roots.sys / "class/uio" / node;
  write(folder / "name", name + "\n");
  write(folder / "maps/map0/addr", fmt::format("{:#x}\n", address));
  write(folder / "maps/map0/size", fmt::format("{:#x}\n", size_bytes));
}

void FakeBoard::add_core() {
  add_node("uio0", "axi_gpio", 0x41200000, 0x1000);
  add_node("uio1", "vta", 0x43c00000, 0x1000);
  make_file(roots.dev / "uio1", 4096);
}

// As in the device trees of PYNQ 2.7 and 3.0.1.
void FakeBoard::add_pynq_nodes() {
  add_node("uio0", "audio-codec-ctrl", 0x43c00000, 0x10000);
  add_node("uio1", "fabric", 0x40000000, 0x10000);
  make_file(roots.dev / "uio0", 0x10000);
  make_file(roots.dev / "uio1", 0x10000);
}

void FakeBoard::add_carve_out() {
  add_node("uio2", "vta-memory", kMemoryBase, kMemoryBytes);
  std::filesystem::create_symlink(roots.dev / "ddr", roots.dev / "uio2");
}

void FakeBoard::add_second_map() {
  const std::filesystem::path map = roots.sys / "class/uio/uio1/maps/map1";
  write(map / "addr", fmt::format("{:#x}\n", kMemoryBase));
  write(map / "size", "0x2000\n");
  std::filesystem::resize_file(roots.dev / "uio1", 3 * 4096);
}

void FakeBoard::add_u_dma_buf(const std::string& name, uint64_t size_bytes) {
  const std::filesystem::path node = roots.sys / "class/u-dma-buf" / name;
  write(node / "size", std::to_string(size_bytes) + "\n");
  write(node / "phys_addr", fmt::format("{:#x}\n", kMemoryBase));
  for (const char* attribute :
       {"sync_direction", "sync_offset", "sync_size", "sync_for_device", "sync_for_cpu"}) {
    write(node / attribute, "\n");
  }
  std::filesystem::create_symlink(roots.dev / "ddr", roots.dev / name);
}

void FakeBoard::begin(sim::CoreRunner runner) {
  model_.emplace(core_, std::move(runner), BusMemory{memory(), kMemoryBase});
  const FileDescriptor node = open_file(roots.dev / "uio1", O_RDWR);
  page_.emplace(node, 0, 4096, roots.dev / "uio1");
  polled_.emplace(std::vector{page_->data()}, *model_);
}

}  // namespace vta::support
