// SPDX-License-Identifier: Apache-2.0
//
// A direct-mapped cache before a memory. A line is a struct in a RAM, changed in part and written
// back as a whole; a miss writes and reads the memory at two addresses of one request.
#include "tests/hls/kernel.h"

template <int sets = 4, int words = 32>
struct WriteBackCache {
  struct Line {
    uint64_t data;
    uint32_t tag, valid;
  };
  struct Request {
    uint64_t data;
    uint32_t address, writes;
  };
  HLS_STREAM(Request, in, 2);
  HLS_STREAM(uint64_t, out, 2);
  HLS_RAM(Line, lines, sets) = {};
  HLS_RAM(uint64_t, memory, words) = {};

  HLS_PROCESS run() {
    for (;;) {
      const Request request = in.read();
      const uint32_t address = request.address % words;
      const uint32_t set = address % sets, tag = address / sets;
      Line line = lines[set];
      if (!line.valid || line.tag != tag) {
        if (line.valid) memory[line.tag * sets + set] = line.data;
        line = Line{memory[address], tag, 1};
      }
      if (request.writes) {
        line.data = request.data;
      } else {
        out.write(line.data);
      }
      lines[set] = line;
    }
  }
};
template struct WriteBackCache<>;

#ifndef __HLSC__
KERNEL(WriteBackCache<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 200; ++i) {
    put(&K::in, {random.next(), static_cast<uint32_t>(random.between(0, 31)),
                 static_cast<uint32_t>(random.chance(40))});
  }
}
#endif
