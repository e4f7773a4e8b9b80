// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_FLASH_BITSTREAM_ARGUMENT_H_
#define VTA_TOOLS_FLASH_BITSTREAM_ARGUMENT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace vta {

// The bitstream that a command line names.
struct BitstreamArgument {
  std::string origin;             // the file, or the name of a shipped bitstream
  std::vector<uint8_t> bit_file;  // its contents
  std::string core;               // that it must contain; "": the board's
  uint32_t clock_hz = 0;          // of the manifest; 0 for a file
  std::string note;               // a line on a shipped bitstream; "" for a file
};

// Reads `argument`: a .bit file, or the name of a bitstream that ships. A word without '/' and
// '.bit' that is not a file is a name. `board`, `core`: names of the configurations; "" as a core:
// any. Errors: any of read_file() and load_shipped_bitstream(); kInvalidArgument for a shipped
// bitstream of another core.
BitstreamArgument read_bitstream_argument(const std::string& argument, const std::string& board,
                                          const std::string& core);

}  // namespace vta

#endif  // VTA_TOOLS_FLASH_BITSTREAM_ARGUMENT_H_
