// SPDX-License-Identifier: Apache-2.0
#include "driver/flash/fpga_manager.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "driver/linux/attribute.h"

namespace vta::driver {
namespace {

constexpr const char* kFirmwareName = "vta-flash.bin";
constexpr const char* kGoodState = "operating";
// Transient states; the write that starts programming usually returns after them.
constexpr std::array kPassingStates = {"firmware request", "write init", "write", "write complete"};
constexpr std::chrono::seconds kLongestLoad{10};

// The firmware file, which exists while the kernel reads it.
class FirmwareFile {
 public:
  FirmwareFile(const std::filesystem::path& folder, std::span<const uint8_t> bytes)
      : path_(folder / kFirmwareName) {
    std::filesystem::create_directories(folder);
    write_file(path_, bytes);
  }
  ~FirmwareFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  FirmwareFile(const FirmwareFile&) = delete;
  FirmwareFile& operator=(const FirmwareFile&) = delete;

 private:
  std::filesystem::path path_;
};

}  // namespace

FpgaManager::FpgaManager(const SystemRoots& roots)
    : roots_(roots), folder_(roots.sys / "class/fpga_manager/fpga0") {
  std::error_code error;
  if (!std::filesystem::exists(folder_ / "state", error)) {
    fail(
        ErrorCode::kNotFound,
        "no FPGA manager: the kernel has no {} (the FPGA's state is unknown; nothing was changed). "
        "Is this a Zynq whose kernel has CONFIG_FPGA_MGR_ZYNQ_FPGA?",
        folder_.string());
  }
  if (!std::filesystem::exists(folder_ / "firmware", error)) {
    fail(
        ErrorCode::kUnsupported,
        "a mainline kernel: {} has no attribute 'firmware', so no program can load a bitstream "
        "(fpga0 is still '{}'). Load it with U-Boot before Linux (vta-flash --bin FILE, then `fpga "
        "load`), or with a device tree overlay with fpga-region and firmware-name; vta-flash "
        "--check then checks it",
        folder_.string(), state());
  }
}

std::string FpgaManager::state() const {
  try {
    return read_attribute(folder_ / "state");
  } catch (const Error&) {
    return "unreadable";
  }
}

std::string FpgaManager::settled_state() const {
  const auto deadline = std::chrono::steady_clock::now() + kLongestLoad;
  while (true) {
    const std::string now = state();
    const bool passes = std::ranges::find(kPassingStates, now) != kPassingStates.end();
    if (!passes || std::chrono::steady_clock::now() > deadline) return now;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void FpgaManager::load(std::span<const uint8_t> bin) {
  std::string after;
  try {
    const FirmwareFile file(roots_.firmware, bin);
    write_attribute(folder_ / "flags", "0");  // the whole FPGA, not a part of it
    write_attribute(folder_ / "firmware", kFirmwareName);
    after = settled_state();
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorCode::kIo, error.what());
  }
  if (after == kGoodState) return;
  fail(ErrorCode::kDevice,
       "the FPGA rejected the bitstream: expected state '{}'; the kernel's log (dmesg) has the "
       "reason",
       kGoodState);
}

}  // namespace vta::driver
