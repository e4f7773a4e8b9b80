// SPDX-License-Identifier: Apache-2.0
//
// The report of vta-compile on the compiled program.
#ifndef VTA_TOOLS_COMPILE_SUMMARY_H_
#define VTA_TOOLS_COMPILE_SUMMARY_H_

#include <string>

#include "compiler/compile.h"

namespace vta {

// A table with a line per layer: layer, operator, where it runs, tiles, multiply-accumulates, GEMM
// micro-ops, DRAM bytes, multiply-accumulates per byte. Then the sums, the core's share of the
// work, and the calibration of the scales.
std::string summary_text(const CompileResult& result);

// One object: `network`, `core`, `mode`, `quantize`, `weights`, `calibration`, `arena_bytes`,
// `macs`, `macs_on_core`, `layers` with the columns of the table.
std::string summary_json(const CompileResult& result);

}  // namespace vta

#endif  // VTA_TOOLS_COMPILE_SUMMARY_H_
