// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TOOL_COSIM_H_
#define VTA_HW_HLSC_TOOL_COSIM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc {

struct Cosimulation {
  std::string path;  // of the kernel, with its HLS_TESTBENCH
  std::vector<std::string> include_dirs, defines;
  uint64_t seed = 1, runs = 3;
  std::string wave;  // FST file of the first run; "": none
};

// Compiles the testbench natively and the Verilog with Verilator, runs both and compares the items
// of all output streams. Returns what the program has printed. `design` is the one of `verilog`.
// Errors: kInvalidArgument for a kernel without testbench or with DRAM ports, for errors of the
// compiler, and for a run that differs, with what was printed.
std::string cosimulate(const Cosimulation& options, const ir::Design& design,
                       const std::string& verilog);

}  // namespace vta::hlsc

#endif  // VTA_HW_HLSC_TOOL_COSIM_H_
