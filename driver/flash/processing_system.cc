// SPDX-License-Identifier: Apache-2.0
#include "driver/flash/processing_system.h"

#include <fcntl.h>

#include <cmath>

#include "driver/linux/zynq_registers.h"

namespace vta::driver {

using namespace zynq;

namespace {

constexpr uint32_t kMaxDivisor = 63;
constexpr double kTolerance = 0.01;

uint32_t bits(uint32_t word, int lsb, int width) { return word >> lsb & ((1U << width) - 1); }

struct Divisors {
  uint32_t first = 0, second = 0;
  double hz = 0;
};

// The largest quotient not above `hz`, with a tolerance for rounding. The first divisor is the
// larger one, as in the clocks of Xilinx' tools.
Divisors best_divisors(double pll_hz, double hz) {
  Divisors best;
  for (uint32_t first = 1; first <= kMaxDivisor; ++first) {
    for (uint32_t second = 1; second <= first; ++second) {
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
  set_fclk0_at_most(hz);
}

void ProcessingSystem::set_fclk0_at_most(uint32_t hz) {
  const Divisors divisors = best_divisors(pll_hz(), hz);
  if (divisors.hz == 0) {
    fail(ErrorCode::kUnsupported, "FCLK0 of at most {} Hz: a PLL of {:.0f} Hz has no such clock",
         hz, pll_hz());
  }
  const uint32_t kept = control() & ~(0x3F00U | 0x3F0'0000U);
  write_clock(kFclk0Control, kept | divisors.first << 8 | divisors.second << 20);
  start_fclk0();
  if (std::abs(fclk0_hz() - divisors.hz) > 1) {
    fail(ErrorCode::kDevice, "FCLK0 was set to {:.0f} Hz but reads {:.0f} Hz", divisors.hz,
         fclk0_hz());
  }
}

void ProcessingSystem::start_fclk0() {
  const uint32_t throttle = word(clocks_, kFclk0Throttle);
  if ((throttle & kIsGated) == 0) return;
  write_clock(kFclk0Throttle, throttle & ~kIsGated);
  if ((word(clocks_, kFclk0Throttle) & kIsGated) != 0) {
    fail(ErrorCode::kDevice, "FCLK0 is still stopped: bit 0 of {:#x} does not become 0",
         kSlcrBase + kFclk0Throttle);
  }
}

// Linux leaves the registers unlocked and relies on it: locking them would break its clock driver.
void ProcessingSystem::write_clock(uint32_t offset, uint32_t value) {
  const bool was_locked = (word(clocks_, kIsLocked) & 1) != 0;
  if (was_locked) word(clocks_, kUnlock) = kUnlockKey;
  word(clocks_, offset) = value;
  if (was_locked) word(clocks_, kLock) = kLockKey;
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
