// SPDX-License-Identifier: Apache-2.0
//
// Vivado's .bit files: a header that says what for and when, then the words that configure the
// FPGA.
#ifndef VTA_DRIVER_FLASH_BITSTREAM_H_
#define VTA_DRIVER_FLASH_BITSTREAM_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vta::driver {

// A .bit file, as read from disk or taken from a client; the largest Zynq's has 18 MB.
inline constexpr uint64_t kMaxBitstreamBytes = uint64_t{32} << 20;

struct Bitstream {
  std::string design;          // "system_wrapper;UserID=0XFFFFFFFF;Version=2022.1"
  std::string part;            // "7z020clg400"
  std::string date;            // "2026/11/22"
  std::string time;            // "01:23:45"
  std::vector<uint8_t> words;  // as in the file: 32 bits each, the high byte first
};

// Errors: kCorrupt, naming `origin` and what is wrong: no header, a length that the file does not
// have (it is cut off), no synchronization word.
Bitstream parse_bitstream(std::span<const uint8_t> file, const std::string& origin);

// The bytes of every word turned around, as the configuration port of a Zynq wants them: a .bin
// file.
std::vector<uint8_t> byte_swapped(std::span<const uint8_t> words);

// Is the bitstream for `part` of a board ("xc7z020clg400-1")? Its header leaves out the family's
// letters and the speed grade.
bool is_for_part(const Bitstream& bitstream, const std::string& part);

}  // namespace vta::driver

#endif  // VTA_DRIVER_FLASH_BITSTREAM_H_
