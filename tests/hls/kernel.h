// SPDX-License-Identifier: Apache-2.0
//
// The header that every file of kernels/ includes: hw/hls, and in native builds the testbench
// (native_bench.h). A kernel is a class template with default arguments, instantiated
// explicitly; its words and items are types inside it, because all kernels are linked together.
#ifndef VTA_TESTS_HLS_KERNEL_H_
#define VTA_TESTS_HLS_KERNEL_H_

#include <cstdint>

#include "hw/hls/burst.h"
#include "hw/hls/lane.h"
#include "hw/hls/pragma.h"
#include "hw/hls/stream.h"

#ifndef __HLSC__
#include "tests/hls/native_bench.h"
#endif

#endif  // VTA_TESTS_HLS_KERNEL_H_
