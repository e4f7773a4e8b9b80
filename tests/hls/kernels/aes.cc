// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197): a round a cycle, the round keys made on the way, 20 S-boxes as constant
// tables.
#include "tests/hls/kernel.h"

template <int rounds = 10>
struct Aes {
  HLS_STREAM(uint8_t, key, 2);
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(uint8_t, out, 2);

  static constexpr uint8_t times_two(uint8_t a) {
    return static_cast<uint8_t>((a << 1) ^ ((a & 0x80) != 0 ? 0x1b : 0));
  }

  struct SBox {
    uint8_t of[256];
    // Powers of the generator 3 and of its inverse, 0xf6, go through the field side by side.
    constexpr SBox() : of() {
      uint8_t power = 1, inverse = 1;
      do {
        power = static_cast<uint8_t>(power ^ times_two(power));
        for (int shift = 1; shift <= 4; shift *= 2)
          inverse = static_cast<uint8_t>(inverse ^ (inverse << shift));
        if ((inverse & 0x80) != 0) inverse ^= 9;
        uint8_t image = inverse;
        for (int turn = 1; turn <= 4; ++turn)
          image = static_cast<uint8_t>(image ^ (inverse << turn) ^ (inverse >> (8 - turn)));
        of[power] = image ^ 0x63;
      } while (power != 1);
      of[0] = 0x63;
    }
  };

  HLS_PROCESS run() {
    static constexpr SBox sbox;
    for (;;) {
      uint8_t k[16] = {}, s[16] = {};
      HLS_UNROLL
      for (int i = 0; i < 16; ++i) k[i] = key.read();
      HLS_UNROLL
      for (int i = 0; i < 16; ++i) s[i] = static_cast<uint8_t>(in.read() ^ k[i]);
      uint8_t constant = 1;
      for (int round = 1; round <= rounds; ++round) {
        uint8_t t[16] = {};  // with rows shifted
        HLS_UNROLL
        for (int i = 0; i < 16; ++i) t[i] = sbox.of[s[(i + 4 * (i % 4)) % 16]];
        HLS_UNROLL
        for (int i = 0; i < 4; ++i)
          k[i] = static_cast<uint8_t>(k[i] ^ sbox.of[k[12 + (i + 1) % 4]]);
        k[0] ^= constant;
        HLS_UNROLL
        for (int i = 4; i < 16; ++i) k[i] = static_cast<uint8_t>(k[i] ^ k[i - 4]);
        const bool mixes = round != rounds;
        HLS_UNROLL
        for (int i = 0; i < 16; ++i) {
          const int first = i / 4 * 4;
          const uint8_t next = t[first + (i + 1) % 4];
          const auto column =
              static_cast<uint8_t>(t[first] ^ t[first + 1] ^ t[first + 2] ^ t[first + 3]);
          const auto mixed =
              static_cast<uint8_t>(column ^ times_two(static_cast<uint8_t>(t[i] ^ next)));
          s[i] = static_cast<uint8_t>(t[i] ^ (mixes ? mixed : 0) ^ k[i]);
        }
        constant = times_two(constant);
      }
      HLS_UNROLL
      for (int i = 0; i < 16; ++i) out.write(s[i]);
    }
  }
};
template struct Aes<>;

#ifndef __HLSC__
KERNEL(Aes<>) {
  process(&K::run);
  output(&K::out);
  constexpr int kBlocks = 3;
  put_any(&K::key, random, 16 * kBlocks);
  put_any(&K::in, random, 16 * kBlocks);
}
#endif
