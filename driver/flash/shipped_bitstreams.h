// SPDX-License-Identifier: Apache-2.0
//
// The bitstreams that ship with the project (hw/fpga/bitstreams): NAME.bit.gz, and NAME.json, its
// manifest.
#ifndef VTA_DRIVER_FLASH_SHIPPED_BITSTREAMS_H_
#define VTA_DRIVER_FLASH_SHIPPED_BITSTREAMS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace vta::driver {

struct ShippedBitstream {
  std::string name;                 // "tiny_1x8@50": the core and the clock in MHz
  std::string core;                 // a name of configs/cores
  std::vector<std::string> boards;  // names of configs/boards
  uint32_t clock_hz = 0;            // that the core was built for
  std::string clock_class;          // "margins" or "conservative"
  std::string silicon;              // what has been tried on silicon, in words
  std::vector<uint8_t> bit_file;    // its contents
};

// Where the bitstreams are, in search order: PREFIX/share/vta/bitstreams if the running program is
// in PREFIX/bin; the source tree it was built from. Only those that exist.
std::vector<std::filesystem::path> bitstream_folders();

// The names of the bitstreams in `folders`, sorted.
std::vector<std::string> shipped_names(const std::vector<std::filesystem::path>& folders);

// Reads the bitstream `name`: "tiny_1x8@50", or "tiny_1x8" for the board's fastest of that core
// in the first of `folders` that has one for the board. Errors: kNotFound, listing the names;
// kCorrupt and kInvalidArgument for a damaged manifest; kCorrupt for a file whose SHA-256 is not
// the manifest's; kInvalidArgument for a bitstream that is not for `board` (a name of
// configs/boards).
ShippedBitstream load_shipped_bitstream(const std::string& name, const std::string& board,
                                        const std::vector<std::filesystem::path>& folders);

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_SHIPPED_BITSTREAMS_H_
