// SPDX-License-Identifier: Apache-2.0
//
// An FST file, read whole, by the reader that comes with Verilator.
#ifndef VTA_TESTS_UNIT_SIM_RTL_FST_FILE_H_
#define VTA_TESTS_UNIT_SIM_RTL_FST_FILE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace vta::sim {

struct FstFile {
  // Throws std::runtime_error for what is no FST file.
  explicit FstFile(const std::string& path);

  // Digits of base 2; throws where the signal has none.
  std::string value(const std::string& signal, uint64_t time) const;
  bool bit(const std::string& signal, uint64_t time) const { return value(signal, time) == "1"; }

  uint64_t first_time = 0, last_time = 0;  // as its header says
  std::set<uint64_t> times;                // in which anything changes
  // By full name, "TOP.Core.i_gemm.clk": values from a time on.
  std::map<std::string, std::map<uint64_t, std::string>> signals;
};

}  // namespace vta::sim

#endif  // VTA_TESTS_UNIT_SIM_RTL_FST_FILE_H_
