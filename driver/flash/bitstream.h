// SPDX-License-Identifier: Apache-2.0
//
// Vivado's .bit files: a header with part, design and date, then the configuration words of the
// FPGA.
#ifndef VTA_DRIVER_FLASH_BITSTREAM_H_
#define VTA_DRIVER_FLASH_BITSTREAM_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vta::driver {

// The limit for .bit files from disk or from a client; the largest Zynq's has 18 MB.
inline constexpr uint64_t kMaxBitstreamBytes = uint64_t{32} << 20;

struct Bitstream {
  std::string design;          // "system_wrapper;UserID=0XFFFFFFFF;Version=2022.1"
  std::string part;            // "7z020clg400"
  std::string date;            // "2026/11/22"
  std::string time;            // "01:23:45"
  std::vector<uint8_t> words;  // as in the file: 32 bits each, most significant byte first
};

// Errors: kCorrupt, naming `origin` and the problem: no header, a truncated file, no
// synchronization word.
Bitstream parse_bitstream(std::span<const uint8_t> file, const std::string& origin);

// Returns the words with their bytes reversed, as the configuration port of a Zynq expects them:
// the contents of a .bin file.
std::vector<uint8_t> byte_swapped(std::span<const uint8_t> words);

// True if the bitstream is for a board's `part` ("xc7z020clg400-1"). The header omits the family
// prefix and the speed grade. The core's own design has no pins, so it fits every package of its
// die: one of 7z020clg400 is for xc7z020clg484-1, too.
bool is_for_part(const Bitstream& bitstream, const std::string& part);

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_BITSTREAM_H_
