// SPDX-License-Identifier: Apache-2.0
//
// The worked example of the READMEs below hw/hlsc.
#include "hw/hlsc/examples/sums.cc"

#include "tests/hls/kernel.h"

#ifndef __HLSC__
KERNEL(Sums<>) {
  process(&K::sum);
  output(&K::out);
  for (int n = 0; n < 6; ++n) {
    const int64_t count = random.between(0, 40);
    put(&K::in, count);
    for (int64_t i = 0; i < count; ++i) put(&K::in, random.between(0, 255));
  }
}
#endif
