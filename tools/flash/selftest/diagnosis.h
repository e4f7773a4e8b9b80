// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_FLASH_SELFTEST_DIAGNOSIS_H_
#define VTA_TOOLS_FLASH_SELFTEST_DIAGNOSIS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/flash/selftest/probe.h"

namespace vta::selftest {

// How a probe's runs went, over all patterns.
struct ProbeOutcome {
  enum class End { kGood, kWrong, kFault, kTimeout, kError };
  End end = End::kGood;
  std::string message;       // of the error
  uint64_t wrong_lines = 0;  // data lines (of 64) with a wrong bit
  bool is_unwritten = true;  // every wrong byte is what it was before the run
  // Wrong bytes after a run with another pattern: any that are that run's, any that are not.
  bool is_previous = false, is_other = false;
};

// Adds the differences of a result to an outcome.
void compare(ProbeOutcome& outcome, const std::vector<uint8_t>& got,
             const std::vector<uint8_t>& expected, const std::vector<uint8_t>& previous);

// What is wrong, in a sentence that names the port; none if every probe is good.
std::optional<std::string> diagnose(const std::map<ProbeKind, ProbeOutcome>& outcomes);

}  // namespace vta::selftest

#endif  // VTA_TOOLS_FLASH_SELFTEST_DIAGNOSIS_H_
