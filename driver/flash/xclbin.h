// SPDX-License-Identifier: Apache-2.0
//
// Writes the .xclbin file that XRT requires before it gives access to buffers and registers. It
// only describes the design; the FPGA manager loads the bitstream (flash.h), because XRT cannot on
// a 32-bit Zynq.
#ifndef VTA_DRIVER_FLASH_XCLBIN_H_
#define VTA_DRIVER_FLASH_XCLBIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "configs/board_config.h"

namespace vta::driver {

// The core is the only compute unit, user-managed; its name for xrt::ip.
inline constexpr const char* kXclbinKernel = "vta";
inline constexpr const char* kXclbinInstance = "vta_0";

// Returns the file (format version 2, "xclbin2"): memory topology, IP layout, connectivity and XML
// metadata. The bytes and the UUID depend on the board only.
std::vector<uint8_t> make_xclbin(const BoardConfig& board);

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_XCLBIN_H_
