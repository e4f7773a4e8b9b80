// SPDX-License-Identifier: Apache-2.0
#include "driver/flash/processing_system.h"

#include <fcntl.h>

#include <cmath>

namespace vta::driver {
namespace {

// System-level control registers (Zynq-7000 technical reference manual, UG585).
constexpr uint64_t kSlcrBase = 0xF800'0000;
constexpr uint32_t kSlcrBytes = 4096;
constexpr uint32_t kUnlock = 0x008, kUnlockKey = 0xDF0D, kLock = 0x004, kLockKey = 0x767B;
constexpr uint32_t kIsLocked = 0x00C;
constexpr uint32_t kArmPll = 0x100, kDdrPll = 0x104, kIoPll = 0x108;
constexpr uint32_t kFclk0Control = 0x170;
constexpr uint32_t kMaxDivisor = 63;

// AXI HP interfaces: a page for each port.
constexpr uint64_t kAfiBase = 0xF800'8000;
constexpr uint32_t kAfiBytes = 4 * 4096, kReadControl = 0x00, kWriteControl = 0x14;
constexpr uint32_t kIs32Bits = 1;

constexpr double kTolerance = 0.01;

uint32_t bits(uint32_t word, int lsb, int width) { return word >> lsb & ((1U << width) - 1); }

volatile uint32_t& word(const Mapping& mapping, uint32_t offset) {
  return *reinterpret_cast<volatile uint32_t*>(mapping.data() + offset);
}

struct Divisors {
  uint32_t first = 0, second = 0;
  double hz = 0;
};

// The largest quotient not above `hz`, with a tolerance for rounding.
Divisors best_divisors(double pll_hz, double hz) {
  Divisors best;
  for (uint32_t first = 1; first <= kMaxDivisor; ++first) {
    for (uint32_t second = 1; second <= kMaxDivisor; ++second) {
      const double quotient = pll_hz / (first * second);
      if (quotient <= hz * 1.000001 && quotient > best.hz) best = {first, second, quotient};
    }
  }
  return best;
}

}  // namespace

ProcessingSystem::ProcessingSystem(const SystemRoots& roots, uint32_t ps_clock_hz)
    : memory_(open_file(roots.dev / "mem", O_RDWR | O_SYNC)),
      clocks_(memory_, kSlcrBase, kSlcrBytes, roots.dev / "mem"),
      ports_(memory_, kAfiBase, kAfiBytes, roots.dev / "mem"),
      ps_clock_hz_(ps_clock_hz) {}

uint32_t ProcessingSystem::control() const { return word(clocks_, kFclk0Control); }

double ProcessingSystem::pll_hz() const {
  const uint32_t source = bits(control(), 4, 2);
  const uint32_t pll = source == 2 ? kArmPll : source == 3 ? kDdrPll : kIoPll;
  return static_cast<double>(ps_clock_hz_) * bits(word(clocks_, pll), 12, 7);
}

double ProcessingSystem::fclk0_hz() const {
  const uint32_t divisor = bits(control(), 8, 6) * bits(control(), 20, 6);
  return divisor == 0 ? 0 : pll_hz() / divisor;
}

void ProcessingSystem::set_fclk0(uint32_t hz) {
  const Divisors divisors = best_divisors(pll_hz(), hz);
  if (divisors.hz < hz * (1 - kTolerance)) {
    fail(ErrorCode::kUnsupported,
         "FCLK0 of {} Hz: the nearest clock from a PLL of {:.0f} Hz is {:.0f} Hz", hz, pll_hz(),
         divisors.hz);
  }
  const uint32_t kept = control() & ~(0x3F00U | 0x3F0'0000U);
  // Linux leaves the registers unlocked and relies on it: locking them would break its clock
  // driver.
  const bool was_locked = (word(clocks_, kIsLocked) & 1) != 0;
  if (was_locked) word(clocks_, kUnlock) = kUnlockKey;
  word(clocks_, kFclk0Control) = kept | divisors.first << 8 | divisors.second << 20;
  if (was_locked) word(clocks_, kLock) = kLockKey;
  if (std::abs(fclk0_hz() - divisors.hz) > 1) {
    fail(ErrorCode::kDevice, "FCLK0 was set to {:.0f} Hz but reads {:.0f} Hz", divisors.hz,
         fclk0_hz());
  }
}

void ProcessingSystem::widen_port(uint32_t port) {
  for (const uint32_t offset : {kReadControl, kWriteControl}) {
    volatile uint32_t& control = word(ports_, port * 4096 + offset);
    if ((control & kIs32Bits) == 0) continue;
    control = control & ~kIs32Bits;
    if ((control & kIs32Bits) != 0) {
      fail(ErrorCode::kDevice, "port HP{} is still 32 bits wide; the core needs 64", port);
    }
  }
}

}  // namespace vta::driver
