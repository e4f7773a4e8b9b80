// SPDX-License-Identifier: Apache-2.0
//
// Registers of a Zynq-7000's processing system (technical reference manual, UG585), by physical
// address and offset.
#ifndef VTA_DRIVER_LINUX_ZYNQ_REGISTERS_H_
#define VTA_DRIVER_LINUX_ZYNQ_REGISTERS_H_

#include <cstdint>

#include "driver/linux/file_descriptor.h"

namespace vta::driver::zynq {

// System-level control.
inline constexpr uint64_t kSlcrBase = 0xF800'0000;
inline constexpr uint32_t kSlcrBytes = 4096;
inline constexpr uint32_t kLock = 0x004, kLockKey = 0x767B;
inline constexpr uint32_t kUnlock = 0x008, kUnlockKey = 0xDF0D;
inline constexpr uint32_t kIsLocked = 0x00C;
inline constexpr uint32_t kArmPll = 0x100, kDdrPll = 0x104, kIoPll = 0x108;
inline constexpr uint32_t kPcapClock = 0x168, kIsActive = 1;  // of the configuration port
inline constexpr uint32_t kFclk0Control = 0x170;
// The throttle of FCLK0: the number of clocks after which it stops. Linux uses bit 0 as a gate
// (drivers/clk/zynq/clkc.c): it sets it for a clock that no device tree node enables.
inline constexpr uint32_t kFclk0Throttle = 0x178, kIsGated = 1;

// AXI HP interfaces: a page for each port.
inline constexpr uint64_t kAfiBase = 0xF800'8000;
inline constexpr uint32_t kAfiBytes = 4 * 4096;
inline constexpr uint32_t kReadControl = 0x00, kWriteControl = 0x14, kIs32Bits = 1;

// Device configuration.
inline constexpr uint64_t kDevcfgBase = 0xF800'7000;
inline constexpr uint32_t kDevcfgBytes = 4096;
inline constexpr uint32_t kInterruptStatus = 0x00C, kConfigurationDone = 1U << 2;
inline constexpr uint32_t kMiscControl = 0x080, kSiliconVersion = 0xFU << 28, kIsEmulator = 1U << 3;

inline volatile uint32_t& word(const Mapping& mapping, uint32_t offset) {
  return *reinterpret_cast<volatile uint32_t*>(mapping.data() + offset);
}

}  // namespace vta::driver::zynq

#endif  // VTA_DRIVER_LINUX_ZYNQ_REGISTERS_H_
