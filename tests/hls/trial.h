// SPDX-License-Identifier: Apache-2.0
//
// One run of a kernel: what goes in and what comes out, natively the reference of all other ways to
// run it.
#ifndef VTA_TESTS_HLS_TRIAL_H_
#define VTA_TESTS_HLS_TRIAL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace vta::kernels {

using Item = std::vector<uint8_t>;  // as it lies in memory; a token has no bytes

struct Trial {
  std::map<std::string, std::vector<Item>> inputs, outputs;  // by stream
  std::map<std::string, Item> constants;                     // by HLS_INPUT
  std::vector<uint8_t> dram_before, dram_after;              // empty if the kernel has no port
};

struct Kernel {
  std::string name;  // of its file, without the folder and .cc
  std::string path;  // from the source's root on
  std::function<Trial(uint64_t seed)> run;
};

// In the order of their names.
std::vector<Kernel> all_kernels();

// GoogleTest names a kernel by its name.
inline void PrintTo(const Kernel& kernel, std::ostream* stream) { *stream << kernel.name; }

// Called by KERNEL() before main(); the result is of no interest.
bool add_kernel(const char* file, std::function<Trial(uint64_t)> run);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_TRIAL_H_
