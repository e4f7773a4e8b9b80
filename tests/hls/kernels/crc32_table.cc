// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 of packets, a byte an item, with a constant table.
#include "tests/hls/kernel.h"

template <uint32_t polynomial = 0xedb88320>
struct Crc32Table {
  struct Table {
    uint32_t of[256];
    constexpr Table() : of() {
      for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) ? (crc >> 1) ^ polynomial : crc >> 1;
        of[byte] = crc;
      }
    }
  };
  HLS_STREAM(uint16_t, length, 1);
  HLS_STREAM(uint8_t, in, 4);
  HLS_STREAM(uint32_t, out, 1);

  HLS_PROCESS run() {
    static constexpr Table table;
    for (;;) {
      uint32_t crc = 0xffffffff;
      for (uint16_t left = length.read(); left != 0; --left) {
        HLS_PIPELINE(1);
        crc = (crc >> 8) ^ table.of[(crc ^ in.read()) & 0xff];
      }
      out.write(~crc);
    }
  }
};
template struct Crc32Table<>;

#ifndef __HLSC__
KERNEL(Crc32Table<>) {
  process(&K::run);
  output(&K::out);
  for (const int64_t length : {random.between(0, 40), int64_t{1500}, int64_t{0}, int64_t{9}}) {
    put(&K::length, length);
    put_any(&K::in, random, static_cast<int>(length));
  }
}
#endif
