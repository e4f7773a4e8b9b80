// SPDX-License-Identifier: Apache-2.0
//
// Exports a program as raw files for other VTA implementations.
#ifndef VTA_TOOLS_SIM_PROGRAM_EXPORT_H_
#define VTA_TOOLS_SIM_PROGRAM_EXPORT_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/program/program.h"

namespace vta::sim {

constexpr uint64_t kMaxBaseBytes = uint64_t{1} << 30;  // `vta-sim exec` allocates them

// Writes into `folder`, which is created if missing:
//   arena.bin            the arena before the first inference
//   NNN_<layer>.insns    the instructions of step NNN, 16 bytes each, little-endian
//   program.json         the core, the address of every tensor, and the steps in order (README.md,
//                        "Exported programs")
// `base_bytes`: where the arena will be in the memory that dram_base of the instructions counts
// from. Errors: kIo; as moved() (portability.h).
void export_program(const Program& program, const std::filesystem::path& folder,
                    uint64_t base_bytes = 0);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_PROGRAM_EXPORT_H_
