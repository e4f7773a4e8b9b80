// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_SIM_FST_BLOCKS_H_
#define VTA_TOOLS_SIM_FST_BLOCKS_H_

#include <string>

namespace vta::sim {

// Whether an FST file is complete: its blocks end with the file, and the signals and their
// hierarchy are among them. The library that writes it reports no error of a full disk. The format:
// a byte of the block's type, then the number of bytes that follow, itself (8, big-endian)
// included. 3 is the block of the signals, 4, 6 and 7 are those of the hierarchy (GTKWave's
// fstapi.h, FST_BL_*).
bool is_complete_fst(const std::string& path);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_FST_BLOCKS_H_
