// SPDX-License-Identifier: Apache-2.0
//
// UTF-8 to code points; wrong sequences become U+FFFD. Chains of if, continue and break.
#include "tests/hls/kernel.h"

template <class T = uint8_t>
struct Utf8Decoder {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(uint32_t, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      const T lead = in.read();
      uint32_t point;
      int more;
      if (lead < 0x80) {
        out.write(lead);
        continue;
      } else if ((lead & 0xe0) == 0xc0) {
        point = lead & 0x1f;
        more = 1;
      } else if ((lead & 0xf0) == 0xe0) {
        point = lead & 0xf;
        more = 2;
      } else if ((lead & 0xf8) == 0xf0) {
        point = lead & 7;
        more = 3;
      } else {
        out.write(0xfffd);
        continue;
      }
      bool is_right = true;
      for (int i = 0; i < more; ++i) {
        const T next = in.read();
        if ((next & 0xc0) != 0x80) {
          is_right = false;
          break;
        }
        point = point << 6 | (next & 0x3f);
      }
      out.write(is_right ? point : 0xfffd);
    }
  }
};
template struct Utf8Decoder<>;

#ifndef __HLSC__
KERNEL(Utf8Decoder<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 150; ++i) {
    const bool is_next = random.between(0, 2) != 0;
    put(&K::in,
        static_cast<uint8_t>(is_next ? random.between(0x80, 0xbf) : random.between(0, 255)));
  }
  for (int i = 0; i < 3; ++i) put(&K::in, 0x80);
}
#endif
