// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_CORE_OBSERVER_H_
#define VTA_HW_CORE_OBSERVER_H_

#include "hw/core/types.h"

namespace vta {
namespace core {

#ifndef __HLSC__
// Watches compute instructions natively, after their tokens are popped and before they work.
struct Observer {
  virtual ~Observer() = default;
  virtual void compute_starts(const Command& command, const uint32_t* uop_memory) = 0;
};
#endif

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_OBSERVER_H_
