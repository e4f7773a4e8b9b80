// SPDX-License-Identifier: Apache-2.0
//
// Parses signed numbers from text: a state machine over characters.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct Parser {
  enum State : uint8_t { kBetween, kSign, kDigits, kComment };
  HLS_STREAM(uint8_t, text, 4);
  HLS_STREAM(T, numbers, 2);
  HLS_REGISTER(uint8_t, state);
  HLS_REGISTER(uint32_t, value);
  HLS_REGISTER(uint8_t, negative);

  static bool is_digit(uint8_t c) { return (c >= '0') & (c <= '9'); }
  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const uint8_t c = text.read();
      if (state == kComment) {
        if (c == '\n') state = kBetween;
      } else if (is_digit(c)) {
        value = (state == kDigits ? value * 10 : 0) + (c - '0');
        if (state == kBetween) negative = 0;
        state = kDigits;
      } else {
        if (state == kDigits) numbers.write(static_cast<T>(negative ? 0 - value : value));
        negative = c == '-';
        state = c == '#' ? kComment : c == '-' ? kSign : kBetween;
      }
    }
  }
};
template struct Parser<>;

#ifndef __HLSC__
KERNEL(Parser<>) {
  process(&K::run);
  output(&K::numbers);
  const char characters[] = "0123456789012345-- #\n\n";
  for (int i = 0; i < 500; ++i) {
    put(&K::text, static_cast<uint8_t>(characters[random.between(0, 21)]));
  }
}
#endif
