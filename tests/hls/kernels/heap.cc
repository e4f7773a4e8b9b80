// SPDX-License-Identifier: Apache-2.0
//
// A priority queue: a binary heap in a RAM. Each step of sifting reads the words that the step
// before has swapped, at an index that comes from a comparison of two of them.
#include "tests/hls/kernel.h"

template <int size = 16>
struct Heap {
  enum Operation : uint16_t { kPush, kPop, kClear };
  struct Command {
    uint16_t operation, key;
  };
  HLS_STREAM(Command, in, 2);
  HLS_STREAM(uint16_t, out, 2);
  HLS_RAM(uint16_t, keys, size);  // from 1: the children of i are 2 * i and 2 * i + 1
  HLS_REGISTER(uint8_t, count);

  HLS_PROCESS run() {
    for (;;) {
      const Command command = in.read();
      switch (command.operation) {
        case kPush:
          if (count == size - 1) break;
          keys[++count] = command.key;
          sift_up(count);
          break;
        case kPop:
          if (count == 0) {
            out.write(0xffff);
            break;
          }
          out.write(keys[1]);
          keys[1] = keys[count--];
          sift_down();
          break;
        default:
          count = 0;
      }
    }
  }

  HLS_MEMBER void sift_up(int i) {
    while (i > 1) {
      const int parent = i / 2;
      if (keys[parent] <= keys[i]) return;
      swap(parent, i);
      i = parent;
    }
  }
  HLS_MEMBER void sift_down() {
    int i = 1;
    while (2 * i <= count) {
      int child = 2 * i;
      if (child < count && keys[child + 1] < keys[child]) ++child;
      if (keys[i] <= keys[child]) break;
      swap(i, child);
      i = child;
    }
  }
  HLS_MEMBER void swap(int a, int b) {
    const uint16_t key = keys[a];
    keys[a] = keys[b];
    keys[b] = key;
  }
};
template struct Heap<>;

#ifndef __HLSC__
KERNEL(Heap<>) {
  process(&K::run);
  output(&K::out);
  // It fills up, empties and is cleared. Small keys: some are equal.
  for (int i = 0; i < 120; ++i) {
    const bool pops = random.chance(i < 60 ? 30 : 70);
    const auto operation = i % 50 == 49 ? K::kClear : pops ? K::kPop : K::kPush;
    put(&K::in, {operation, static_cast<uint16_t>(random.between(0, 40))});
  }
}
#endif
