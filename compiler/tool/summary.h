// SPDX-License-Identifier: Apache-2.0
//
// What vta-compile says about the program that it made.
#ifndef VTA_COMPILER_TOOL_SUMMARY_H_
#define VTA_COMPILER_TOOL_SUMMARY_H_

#include <string>

#include "compiler/compile.h"

namespace vta {

// A table, one layer a line: layer, operator, where it runs, tiles, GEMM micro-ops, DRAM bytes,
// multiply-accumulates a byte; and a line of sums.
std::string summary_text(const CompileResult& result);

// One object: `network`, `core`, `mode`, `quantize`, `weights`, `arena_bytes`, `layers` with the
// table's columns.
std::string summary_json(const CompileResult& result);

}  // namespace vta

#endif  // VTA_COMPILER_TOOL_SUMMARY_H_
