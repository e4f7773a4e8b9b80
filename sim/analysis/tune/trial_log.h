// SPDX-License-Identifier: Apache-2.0
//
// TrialLog: the log of a search (schedule_log.h), which answers what earlier calls have measured.
#ifndef VTA_SIM_ANALYSIS_TUNE_TRIAL_LOG_H_
#define VTA_SIM_ANALYSIS_TUNE_TRIAL_LOG_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "compiler/lower/tiling.h"
#include "compiler/schedule_log.h"
#include "configs/core_config.h"

namespace vta::sim {

class TrialLog {
 public:
  // Errors: as ScheduleLog and read_schedule_log().
  TrialLog(const std::filesystem::path& path, const CoreConfig& core, const std::string& memory);

  // The trial in the log with the same task, tiling, neighbours, other tasks' tilings, network and
  // its cycles before: with other cycles, another search has kept other tilings. Null: none.
  const Trial* find(const Trial& trial) const;

  void append(const Trial& trial);

 private:
  const CoreConfig core_;
  const std::string memory_;
  ScheduleLog log_;
  std::map<std::string, Trial> logged_;  // by a key of all that a trial depends on
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_TRIAL_LOG_H_
