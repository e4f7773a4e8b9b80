// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_CORE_OBSERVER_H_
#define VTA_HW_CORE_OBSERVER_H_

#include "hw/core/types.h"

namespace vta {
namespace core {

#ifndef __HLSC__
// Observes the native core; called in the thread of its run.
struct Observer {
  virtual ~Observer() = default;
  // A compute instruction, after its tokens are popped and before it executes.
  virtual void compute_starts(const Command& command, const uint32_t* uop_memory) {
    (void)command, (void)uop_memory;
  }
  // A beat that STORE writes, in program order; `index`: of the instruction.
  virtual void beat_stored(uint32_t index, uint32_t address, uint64_t value) {
    (void)index, (void)address, (void)value;
  }
};
#endif

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_OBSERVER_H_
