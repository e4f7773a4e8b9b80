// SPDX-License-Identifier: Apache-2.0
//
// What vta-compile says about the program that it made.
#ifndef VTA_COMPILER_TOOL_SUMMARY_H_
#define VTA_COMPILER_TOOL_SUMMARY_H_

#include <string>

#include "compiler/compile.h"

namespace vta {

// A table, one layer a line: layer, operator, where it runs, tiles, multiply-accumulates, GEMM
// micro-ops, DRAM bytes, multiply-accumulates a byte; a line of sums; how much of the work is the
// core's, and what scales were chosen on.
std::string summary_text(const CompileResult& result);

// One object: `network`, `core`, `mode`, `quantize`, `weights`, `calibration`, `arena_bytes`,
// `macs`, `macs_on_core`, `layers` with the table's columns.
std::string summary_json(const CompileResult& result);

}  // namespace vta

#endif  // VTA_COMPILER_TOOL_SUMMARY_H_
