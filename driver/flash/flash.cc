// SPDX-License-Identifier: Apache-2.0
#include "driver/flash/flash.h"

#include <chrono>
#include <thread>
#include <utility>

#include "configs/core_text.h"
#include "driver/flash/bitstream.h"
#include "driver/flash/fpga_manager.h"
#include "driver/flash/processing_system.h"
#include "driver/linux/first_access.h"
#include "driver/register_device.h"

namespace vta::driver {
namespace {

// Slow enough for any bitstream, until the core's registers report its clock: bitstreams of
// hw/fpga/build_bitstream --clock are slower than the board's.
constexpr uint32_t kSafeClockHz = 10'000'000;

Bitstream checked_bitstream(const BoardConfig& board, std::span<const uint8_t> bit_file,
                            const std::string& origin) {
  Bitstream bitstream = parse_bitstream(bit_file, origin);
  if (!is_for_part(bitstream, board.part)) {
    fail(ErrorCode::kInvalidArgument, "{}: the bitstream is for part {}, {} has {}", origin,
         bitstream.part, board.name, board.part);
  }
  return bitstream;
}

// Stops a core that may be in the middle of a burst: reprogramming it then would leave the HP port
// with a burst that never ends, until a power cycle. Another design is left alone.
void stop_loaded_core(const BoardConfig& board, const SystemRoots& roots) {
  constexpr std::chrono::milliseconds kMaxReset{100};
  std::unique_ptr<MappedRegisters> registers;
  try {
    registers = open_core_registers(board.registers_base, roots);
  } catch (const Error&) {
    return;
  }
  registers->write(hw::kRegister_control, hw::kBits_control_soft_reset);
  const auto deadline = std::chrono::steady_clock::now() + kMaxReset;
  while ((registers->read(hw::kRegister_status) & hw::kBits_status_idle) == 0) {
    // A core that does not become idle is what a new bitstream is for.
    if (std::chrono::steady_clock::now() > deadline) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string with_states(const std::string& message, const std::string& before,
                        const FpgaManager& manager) {
  return fmt::format("{} (fpga0 was '{}' before, is '{}' now)", message, before, manager.state());
}

}  // namespace

FlashReport read_loaded(const BoardConfig& board, const CoreConfig& core,
                        const SystemRoots& roots) {
  const std::unique_ptr<MappedRegisters> registers =
      open_core_registers(board.registers_base, roots);
  const std::string place = fmt::format("{:#x}", board.registers_base);
  check_core(*registers, place, core);
  FlashReport report;
  report.core = hw::read_core_config(*registers, place);
  report.clock_hz = registers->read(hw::kRegister_clock_hz);
  report.fclk0_hz = ProcessingSystem(roots, board.ps_clock_hz).fclk0_hz();
  return report;
}

FlashReport configure_loaded(const BoardConfig& board, const CoreConfig& core,
                             const SystemRoots& roots) {
  ProcessingSystem system(roots, board.ps_clock_hz);
  system.start_fclk0();  // a read of registers without a clock would never end
  FlashReport report = read_loaded(board, core, roots);
  for (uint32_t port = 0; port < ProcessingSystem::kPorts; ++port) system.widen_port(port);
  system.set_fclk0(report.clock_hz);
  report.fclk0_hz = system.fclk0_hz();
  return report;
}

FlashReport flash(const BoardConfig& board, const CoreConfig& core,
                  std::span<const uint8_t> bit_file, const std::string& origin,
                  const SystemRoots& roots) {
  FpgaManager manager(roots);
  const std::string before = manager.state();
  try {
    const Bitstream bitstream = checked_bitstream(board, bit_file, origin);
    ProcessingSystem system(roots, board.ps_clock_hz);
    system.start_fclk0();  // a core without a clock cannot end its bursts
    stop_loaded_core(board, roots);
    system.set_fclk0(kSafeClockHz);
    manager.load(byte_swapped(bitstream.words));
    FlashReport report = configure_loaded(board, core, roots);
    report.design = bitstream.design;
    report.part = bitstream.part;
    report.date = bitstream.date;
    report.time = bitstream.time;
    report.state_before = before;
    return report;
  } catch (const Error& error) {
    throw Error(error.code(), with_states(error.what(), before, manager));
  }
}

std::string to_text(const FlashReport& report) {
  std::string text;
  if (!report.design.empty()) {
    text += fmt::format("Loaded {} for {}, built {} {} (fpga0 was '{}' before)\n", report.design,
                        report.part, report.date, report.time, report.state_before);
  }
  text += fmt::format("Core: {}\nClock: built for {:.6g} MHz, FCLK0 is {:.6g} MHz\n",
                      describe(report.core), report.clock_hz / 1e6, report.fclk0_hz / 1e6);
  return text;
}

}  // namespace vta::driver
