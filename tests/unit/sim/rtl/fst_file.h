// SPDX-License-Identifier: Apache-2.0
//
// Reads a complete FST file with Verilator's reader.
#ifndef VTA_TESTS_UNIT_SIM_RTL_FST_FILE_H_
#define VTA_TESTS_UNIT_SIM_RTL_FST_FILE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace vta::sim {

struct FstFile {
  // Throws std::runtime_error for an invalid file.
  explicit FstFile(const std::string& path);

  // Binary digits; throws if there is no such signal.
  std::string value(const std::string& signal, uint64_t time) const;
  bool bit(const std::string& signal, uint64_t time) const { return value(signal, time) == "1"; }

  uint64_t first_time = 0, last_time = 0;  // from the header
  std::set<uint64_t> times;                // times with changes
  // By full name, "TOP.Core.i_gemm.clk": the values by time.
  std::map<std::string, std::map<uint64_t, std::string>> signals;
};

}  // namespace vta::sim

#endif  // VTA_TESTS_UNIT_SIM_RTL_FST_FILE_H_
