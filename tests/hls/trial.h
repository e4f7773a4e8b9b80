// SPDX-License-Identifier: Apache-2.0
//
// One run of a kernel: its inputs and outputs. The native run is the reference for all others.
#ifndef VTA_TESTS_HLS_TRIAL_H_
#define VTA_TESTS_HLS_TRIAL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace vta::kernels {

using Item = std::vector<uint8_t>;  // in memory layout; a token has no bytes

struct Trial {
  std::map<std::string, std::vector<Item>> inputs, outputs;  // by stream
  // What would follow `outputs` if the environment sent further input. A pipelined loop runs ahead
  // of an older iteration that waits for an item, so hardware may have sent the first of these.
  // Empty unless the testbench has later input.
  std::map<std::string, std::vector<Item>> outputs_ahead;
  std::map<std::string, Item> constants;         // by HLS_INPUT
  std::vector<uint8_t> dram_before, dram_after;  // empty if the kernel has no port
};

struct Kernel {
  std::string name;  // of the file, without folder and .cc
  std::string path;  // relative to the source root
  std::function<Trial(uint64_t seed)> run;
};

// Sorted by name.
std::vector<Kernel> all_kernels();

// GoogleTest prints a kernel as its name.
inline void PrintTo(const Kernel& kernel, std::ostream* stream) { *stream << kernel.name; }

// Called by KERNEL() before main(); the result is not used.
bool add_kernel(const char* file, std::function<Trial(uint64_t)> run);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_TRIAL_H_
