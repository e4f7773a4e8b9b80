// SPDX-License-Identifier: Apache-2.0
//
// Writes a word and reads the same or another word in the same iteration.
#include "tests/hls/kernel.h"

template <uint32_t size = 8>
struct ReadAfterWrite {
  struct Access {
    uint8_t write_index, read_index;
    uint16_t value;
  };
  HLS_STREAM(Access, in, 2);
  HLS_STREAM(uint16_t, out, 2);
  HLS_RAM(uint16_t, memory, size);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      memory[i] = static_cast<uint16_t>(i * 1000);
    }
    for (;;) {
      HLS_PIPELINE(1);
      const Access access = in.read();
      if (access.value & 1) memory[access.write_index & (size - 1)] = access.value;
      out.write(memory[access.read_index & (size - 1)]);
    }
  }
};
template struct ReadAfterWrite<>;

#ifndef __HLSC__
KERNEL(ReadAfterWrite<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  output(&K::out);
}
#endif
