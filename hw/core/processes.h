// SPDX-License-Identifier: Apache-2.0
//
// processes.def as enumerators and tables.
#ifndef VTA_HW_CORE_PROCESSES_H_
#define VTA_HW_CORE_PROCESSES_H_

#include <cstdint>

namespace vta {
namespace core {

// kProcess_gemm
enum Process : uint8_t {
#define VTA_PROCESS(process, stage) kProcess_##process,
#include "hw/core/processes.def"
  kNumProcesses
};

// By Process: its name, and that of its stage.
constexpr const char* kProcessNames[] = {
#define VTA_PROCESS(process, stage) #process,
#include "hw/core/processes.def"
};
constexpr const char* kProcessStages[] = {
#define VTA_PROCESS(process, stage) #stage,
#include "hw/core/processes.def"
};

// By Process: whether it has a status register, in which it shows its instruction.
constexpr bool has_status(Process process) {
  return false
#define VTA_STATUS(process_with_status, status) || process == kProcess_##process_with_status
#include "hw/core/processes.def"
      ;
}

// The processes that determine the state of a stage: the first and the last of the stage that have
// a status. The last one, `mover`, moves the data. In a stage of one such process both are the
// same.
struct StageProcesses {
  Process first, mover;
};
constexpr bool is_same_name(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}
constexpr StageProcesses processes_of(const char* stage) {
  StageProcesses result{kNumProcesses, kNumProcesses};
  for (int i = 0; i < kNumProcesses; ++i) {
    const Process process = static_cast<Process>(i);
    if (!has_status(process) || !is_same_name(kProcessStages[i], stage)) continue;
    if (result.first == kNumProcesses) result.first = process;
    result.mover = process;
  }
  return result;
}

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_PROCESSES_H_
