// SPDX-License-Identifier: Apache-2.0
//
// Probes: small programs that each use few memory ports, so that their failures name a port.
#ifndef VTA_TOOLS_FLASH_SELFTEST_PROBE_H_
#define VTA_TOOLS_FLASH_SELFTEST_PROBE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "driver/device.h"

namespace vta::selftest {

// Each uses the ports of those before it, except that kInp does not use HP1's reads.
enum class ProbeKind {
  kFetch,   // instructions without effect: HP3
  kAcc8,    // ACC_8BIT to OUT: reads and writes of HP1, byte for byte
  kAcc32,   // the low bytes of ACC to OUT: the same ports, other bytes
  kUop,     // permutes ACC elements by micro-ops: HP2
  kInp,     // INP times the identity: HP0
  kRandom,  // random operands, micro-ops and ALU operations: all ports
};

struct Probe {
  std::vector<uint8_t> arena;
  uint64_t program_offset_bytes = 0;
  uint32_t num_instructions = 0;
  uint64_t result_offset_bytes = 0, result_bytes = 0;
};

// `pattern`: 0xA5 and 0x5A fill the operands; any other value derives each byte from its address
// and the value. For kRandom the seed.
Probe make_probe(ProbeKind kind, const CoreConfig& core, uint32_t pattern);

// Bytes of the result before a run.
inline constexpr uint8_t kUnwritten = 0xC3;

// Runs the probe in `arena` and returns the bytes of its result. Errors: any of Device.
std::vector<uint8_t> run_probe(driver::Device& device, driver::DeviceAddress arena,
                               const Probe& probe);

inline constexpr uint64_t kProbeArenaBytes = 64 << 10;

}  // namespace vta::selftest

#endif  // VTA_TOOLS_FLASH_SELFTEST_PROBE_H_
