// SPDX-License-Identifier: Apache-2.0
//
// A fake Linux with a core in its programmable logic: files for registers and memory, folders for
// sysfs and /dev, and a thread that runs the core.
#ifndef VTA_TESTS_SUPPORT_BOARD_FAKE_BOARD_H_
#define VTA_TESTS_SUPPORT_BOARD_FAKE_BOARD_H_

#include <optional>
#include <string>
#include <thread>

#include "base/files/scratch_folder.h"
#include "driver/linux/file_descriptor.h"
#include "driver/linux/system_roots.h"
#include "tests/support/board/register_model.h"

namespace vta::support {

// Serves a page of memory as the registers of a core: polls `control`, executes it, and writes back
// all registers. Reads cannot be observed in a page of memory, so a driver that relied on side
// effects of reads would fail here.
class PolledPage {
 public:
  // Writes the registers once before it returns. All arguments must outlive this.
  PolledPage(uint8_t* page, hw::RegisterBus& model);
  ~PolledPage();
  PolledPage(const PolledPage&) = delete;
  PolledPage& operator=(const PolledPage&) = delete;

 private:
  void serve(const std::stop_token& stop);
  void obey(uint32_t command);
  void show();
  volatile uint32_t* word(uint32_t offset) {
    return reinterpret_cast<volatile uint32_t*>(page_ + offset);
  }

  uint8_t* page_;
  hw::RegisterBus& model_;
  std::jthread thread_;
};

class FakeBoard {
 public:
  static constexpr uint64_t kMemoryBase = 0x1800'0000, kMemoryBytes = 4 << 20;

  explicit FakeBoard(const CoreConfig& core);

  driver::SystemRoots roots;

  void set_fpga_state(const std::string& state);  // at first "operating"

  // Entries of sysfs and /dev; `core` is uio1, called "vta".
  void write(const std::filesystem::path& file, const std::string& text);
  void add_core();
  void add_pynq_nodes();  // uio0 "audio-codec-ctrl", and the core as uio1, "fabric"
  void add_carve_out();   // uio2, "vta-memory"
  void add_second_map();  // of the core's node
  void add_u_dma_buf(const std::string& name, uint64_t size_bytes);
  void begin(sim::CoreRunner runner);  // starts the core

  RegisterModel& model() { return *model_; }
  std::span<uint8_t> memory() { return {memory_->data(), memory_->size_bytes()}; }

 private:
  void add_node(const std::string& node, const std::string& name, uint64_t address,
                uint64_t size_bytes);
  void make_file(const std::filesystem::path& file, uint64_t size_bytes);

  const CoreConfig core_;
  ScratchFolder folder_;
  std::optional<driver::Mapping> page_, memory_;
  std::optional<RegisterModel> model_;
  std::optional<PolledPage> polled_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_FAKE_BOARD_H_
