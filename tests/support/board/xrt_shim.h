// SPDX-License-Identifier: Apache-2.0
//
// A fake board below XRT: the driver's side of Debian's unmodified libxrt_coreutil.
#ifndef VTA_TESTS_SUPPORT_BOARD_XRT_SHIM_H_
#define VTA_TESTS_SUPPORT_BOARD_XRT_SHIM_H_

#include "hw/registers/register_bus.h"
#include "tests/support/board/register_model.h"

namespace vta::support {

// Installs device 0 of this process permanently: XRT has one system per process. Buffers are in
// `memory`; the processor has a separate copy, as with non-coherent caches. Both arguments must
// outlive all use of XRT.
void install_xrt_shim(hw::RegisterBus& registers, BusMemory memory);

// The numbers of live buffers and open contexts.
int xrt_shim_buffers();
int xrt_shim_contexts();

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_XRT_SHIM_H_
