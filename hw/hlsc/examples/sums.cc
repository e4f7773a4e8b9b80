// SPDX-License-Identifier: Apache-2.0
//
// The worked example of the READMEs below hw/hlsc: reads a count, then sums that many items.
#include <cstdint>

#include "hw/hls/pragma.h"
#include "hw/hls/stream.h"

template <class Item = uint8_t>
struct Sums {
  HLS_STREAM(Item, in, 2);
  HLS_STREAM(uint16_t, out, 2);

  HLS_PROCESS sum() {
    for (;;) {
      const Item n = in.read();
      uint16_t total = 0;
      for (Item i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        total += in.read();
      }
      out.write(total);
    }
  }
};
template struct Sums<>;
