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

// Writes into `folder`, which is created if missing:
//   arena.bin            the arena before the first inference
//   NNN_<layer>.insns    the instructions of step NNN, 16 bytes each, little-endian
//   program.json         the core, the address of every tensor, and the steps in order (README.md,
//                        "Exported programs")
// Errors: kIo.
void export_program(const Program& program, const std::filesystem::path& folder);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_PROGRAM_EXPORT_H_
