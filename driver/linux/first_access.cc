// SPDX-License-Identifier: Apache-2.0
#include "driver/linux/first_access.h"

#include <fcntl.h>

#include <optional>
#include <utility>

#include "driver/linux/attribute.h"
#include "driver/linux/guarded_read.h"
#include "driver/linux/zynq_registers.h"
#include "hw/registers/registers.h"

namespace vta::driver {
namespace {

constexpr const char* kLoad =
    "load the core's bitstream: vta-flash --board pynq-z1 vta.bit (or pynq-z2)";

// The kernel's state; empty if it has no FPGA manager.
std::string manager_state(const SystemRoots& roots) {
  try {
    return read_attribute(roots.sys / "class/fpga_manager/fpga0/state");
  } catch (const Error&) {
    return "";
  }
}

struct ProcessingSystemState {
  std::optional<bool> is_done;  // none if the configuration port does not tell
  bool is_gated = false;        // FCLK0
};

// An access to the configuration port is safe only while its clock runs, which the kernel stops
// when it is not loading. An emulator has no programmable logic that could be done.
std::optional<bool> read_done(const FileDescriptor& memory, const std::filesystem::path& path) {
  const Mapping port(memory, zynq::kDevcfgBase, zynq::kDevcfgBytes, path);
  const uint32_t control = zynq::word(port, zynq::kMiscControl);
  if ((control & zynq::kSiliconVersion) == 0 || (control & zynq::kIsEmulator) != 0)
    return std::nullopt;
  return (zynq::word(port, zynq::kInterruptStatus) & zynq::kConfigurationDone) != 0;
}

bool is_zynq(const SystemRoots& roots) {
  try {
    // A list, each name with a zero at its end.
    const std::string names = read_attribute(roots.proc / "device-tree/compatible");
    return names.find("xlnx,zynq-7000") != std::string::npos;
  } catch (const Error&) {
    return false;
  }
}

ProcessingSystemState read_processing_system(const SystemRoots& roots) {
  const std::filesystem::path path = roots.dev / "mem";
  ProcessingSystemState state;
  if (!is_zynq(roots)) return state;  // other machines have other registers there
  try {
    const FileDescriptor memory = open_file(path, O_RDWR | O_SYNC);
    const Mapping slcr(memory, zynq::kSlcrBase, zynq::kSlcrBytes, path);
    state.is_gated = (zynq::word(slcr, zynq::kFclk0Throttle) & zynq::kIsGated) != 0;
    if ((zynq::word(slcr, zynq::kPcapClock) & zynq::kIsActive) != 0)
      state.is_done = read_done(memory, path);
  } catch (const Error&) {
    return {};  // without /dev/mem
  }
  return state;
}

void check_magic(const Mapping& mapping, const std::string& place) {
  const auto* const magic =
      reinterpret_cast<const volatile uint32_t*>(mapping.data() + hw::kRegister_magic);
  const std::optional<uint32_t> found = read_guarded(magic);
  if (found == hw::kValue_magic) return;
  const std::string answer =
      found ? fmt::format("its magic is {:#010x}, not {:#010x}", *found, uint32_t{hw::kValue_magic})
            : "the read of its magic is a bus error";
  fail(ErrorCode::kDevice,
       "core at {}: {}: no core is there; another design is loaded, such as PYNQ's base overlay, "
       "which PYNQ loads when it boots; {}",
       place, answer, kLoad);
}

}  // namespace

void require_programmed(const SystemRoots& roots, const std::string& place) {
  const std::string state = manager_state(roots);
  const ProcessingSystemState system = read_processing_system(roots);
  // A design that was loaded by a debugger is unknown to the kernel.
  const bool is_known_otherwise = state == "unknown" && system.is_done.value_or(false);
  if (!state.empty() && state != "operating" && !is_known_otherwise) {
    fail(ErrorCode::kDevice,
         "core at {}: the FPGA is not configured (fpga0 is '{}', expected 'operating'), and an "
         "access would stop this machine; {}",
         place, state, kLoad);
  }
  if (!system.is_done.value_or(true)) {
    fail(ErrorCode::kDevice,
         "core at {}: the FPGA is not configured (its DONE bit is 0, although fpga0 is '{}'), and "
         "an access would stop this machine; {}",
         place, state, kLoad);
  }
  if (system.is_gated) {
    fail(ErrorCode::kDevice,
         "core at {}: its clock FCLK0 is stopped (bit 0 of {:#x}), and an access would stop this "
         "machine; vta-flash --check starts it, or `&clkc {{ fclk-enable = <1>; }};` in the device "
         "tree",
         place, zynq::kSlcrBase + zynq::kFclk0Throttle);
  }
}

void check_core_at(uint64_t address, const std::string& place, const SystemRoots& roots) {
  require_programmed(roots, place);
  if (!is_zynq(roots)) return;
  std::optional<Mapping> mapping;
  try {
    mapping.emplace(open_file(roots.dev / "mem", O_RDWR | O_SYNC), address, hw::kRegisterPageBytes,
                    roots.dev / "mem");
  } catch (const Error&) {
    return;  // not root
  }
  check_magic(*mapping, place);
}

std::unique_ptr<MappedRegisters> open_core_registers(Mapping mapping, FileDescriptor file,
                                                     const SystemRoots& roots,
                                                     const std::string& place) {
  require_programmed(roots, place);
  check_magic(mapping, place);
  return std::make_unique<MappedRegisters>(std::move(mapping), std::move(file));
}

std::unique_ptr<MappedRegisters> open_core_registers(uint64_t address, const SystemRoots& roots) {
  const std::filesystem::path path = roots.dev / "mem";
  FileDescriptor memory = open_file(path, O_RDWR | O_SYNC);
  Mapping mapping(memory, address, hw::kRegisterPageBytes, path);
  return open_core_registers(std::move(mapping), std::move(memory), roots,
                             fmt::format("{:#x}", address));
}

}  // namespace vta::driver
