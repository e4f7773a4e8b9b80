// SPDX-License-Identifier: Apache-2.0
//
// The core as hlsc reads it: compiled by the test `hw_core.HlscReadsTheCore` with -D__HLSC__, as
// C++14 without library, exceptions and RTTI. What is native only must be hidden by hw/hls.
#include "hw/core/core.h"

struct Params {
  static constexpr uint32_t kBatch = 1, kBlockIn = 16, kBlockOut = 16;
  static constexpr uint32_t kUopDepth = 8192, kInpDepth = 2048, kWgtDepth = 1024, kAccDepth = 2048;
  static constexpr uint32_t kCommandDepth = 512, kTokenDepth = 1023;
};

template struct vta::core::Core<Params>;
