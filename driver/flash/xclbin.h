// SPDX-License-Identifier: Apache-2.0
//
// The .xclbin file that XRT wants before it gives out buffers and registers. It tells of the design
// only; the bitstream itself is loaded by the FPGA manager (flash.h), because XRT on a 32-bit Zynq
// cannot.
#ifndef VTA_DRIVER_FLASH_XCLBIN_H_
#define VTA_DRIVER_FLASH_XCLBIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "configs/board_config.h"

namespace vta::driver {

// The core is the one compute unit, user-managed; its name for xrt::ip.
inline constexpr const char* kXclbinKernel = "vta";
inline constexpr const char* kXclbinInstance = "vta_0";

// The whole file (format version 2, "xclbin2"): memory topology, IP layout, connectivity and the
// metadata in XML. The same board gives the same bytes and UUID.
std::vector<uint8_t> make_xclbin(const BoardConfig& board);

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_XCLBIN_H_
