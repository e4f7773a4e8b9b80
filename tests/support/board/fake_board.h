// SPDX-License-Identifier: Apache-2.0
//
// A fake Linux with a core in its programmable logic: files for registers and memory, folders for
// sysfs and /dev, and a thread that runs the core.
#ifndef VTA_TESTS_SUPPORT_BOARD_FAKE_BOARD_H_
#define VTA_TESTS_SUPPORT_BOARD_FAKE_BOARD_H_

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/files/scratch_folder.h"
#include "driver/linux/file_descriptor.h"
#include "driver/linux/system_roots.h"
#include "tests/support/board/register_model.h"

namespace vta::support {

// Serves pages of memory as the registers of one core, which answers at each of them: polls
// `control`, executes it, and writes back all registers. Reads cannot be observed in memory, so a
// driver that relied on side effects of reads would fail here.
class PolledPages {
 public:
  // Called by the polling thread when the core's interrupt changes.
  using Interrupt = std::function<void(bool is_high)>;

  // Writes the registers once before it returns. Pages and model must outlive this.
  PolledPages(std::vector<uint8_t*> pages, hw::RegisterBus& model, Interrupt interrupt = {});
  ~PolledPages();
  PolledPages(const PolledPages&) = delete;
  PolledPages& operator=(const PolledPages&) = delete;

 private:
  void serve(const std::stop_token& stop);
  void obey(uint8_t* page, uint32_t command);
  void show();
  void show_on(uint8_t* page);
  void set_interrupt();

  const std::vector<uint8_t*> pages_;
  hw::RegisterBus& model_;
  const Interrupt interrupt_;
  bool is_high_ = false;
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
  std::optional<PolledPages> polled_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_FAKE_BOARD_H_
