// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_HLS_VERILOG_RUN_H_
#define VTA_TESTS_HLS_VERILOG_RUN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/hls/trial.h"
#include "tests/hls/verilog_model.h"

namespace vta::kernels {

// Runs kernels of the model in parallel, each against its native trial of this seed; all must be in
// the model. The seed selects whether the environment is ready always, every other cycle, or
// rarely.
struct VerilogResult {
  std::string difference;                              // the first one as text; "" if there is none
  std::map<std::string, std::vector<uint64_t>> moves;  // the cycles of items, by stream
};
// By kernel.
std::map<std::string, VerilogResult> run_in_verilog(VerilogModel& model,
                                                    const std::vector<Kernel>& kernels,
                                                    uint64_t seed);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_VERILOG_RUN_H_
