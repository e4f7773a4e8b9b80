// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_HLS_RANDOM_RUN_TOOL_H_
#define VTA_TESTS_HLS_RANDOM_RUN_TOOL_H_

#include <string>

namespace vta::kernels {

// Runs a compiler or Verilator by the shell, with jemalloc, in which they are faster. If it fails:
// Error(kInvalidArgument) with its output, which is in `log`.
void run_tool(const std::string& command, const std::string& log);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_RUN_TOOL_H_
