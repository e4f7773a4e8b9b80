// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 of packets, eight bits of the polynomial unrolled an item.
#include "tests/hls/kernel.h"

template <uint32_t polynomial = 0xedb88320>
struct Crc32 {
  HLS_STREAM(uint16_t, length, 1);
  HLS_STREAM(uint8_t, in, 4);
  HLS_STREAM(uint32_t, out, 1);

  HLS_PROCESS run() {
    for (;;) {
      uint32_t crc = 0xffffffff;
      for (uint16_t left = length.read(); left != 0; --left) {
        HLS_PIPELINE(1);
        crc ^= in.read();
        HLS_UNROLL
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) ? (crc >> 1) ^ polynomial : crc >> 1;
      }
      out.write(~crc);
    }
  }
};
template struct Crc32<>;

#ifndef __HLSC__
KERNEL(Crc32<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 8; ++i) {
    const int64_t length = random.between(0, 40);
    put(&K::length, length);
    put_any(&K::in, random, static_cast<int>(length));
  }
}
#endif
