// SPDX-License-Identifier: Apache-2.0
//
// A board under XRT: the driver's side of libxrt_coreutil, which stays as Debian ships it.
#ifndef VTA_TESTS_SUPPORT_BOARD_XRT_SHIM_H_
#define VTA_TESTS_SUPPORT_BOARD_XRT_SHIM_H_

#include "hw/registers/register_bus.h"
#include "tests/support/board/register_model.h"

namespace vta::support {

// Device 0 of this process from now on, for good: XRT knows one system in a process. Buffers come
// from `memory`; the processor's view of them is memory of its own, as with caches that nothing
// keeps right. Both arguments outlive the process's use of XRT.
void install_xrt_shim(driver::RegisterBus& registers, BusMemory memory);

// Buffers that are not freed, and contexts that are open.
int xrt_shim_buffers();
int xrt_shim_contexts();

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_XRT_SHIM_H_
