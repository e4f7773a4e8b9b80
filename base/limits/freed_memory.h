// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_LIMITS_FREED_MEMORY_H_
#define VTA_BASE_LIMITS_FREED_MEMORY_H_

namespace vta {

// Freed blocks of up to 32 MB stay with the process, up to 256 MB in all, instead of going back to
// the system: large tensors that come and go would have all their pages mapped anew, a tenth of the
// processor time of compiling and of simulating. For tools; without effect on other C libraries.
void keep_freed_memory();

}  // namespace vta

#endif  // VTA_BASE_LIMITS_FREED_MEMORY_H_
