// SPDX-License-Identifier: Apache-2.0
//
// The core as hlsc reads it: compiled by the test `hw_core.HlscReadsTheCore` with -D__HLSC__, as
// C++14 without library, exceptions and RTTI. What is native only must be hidden by hw/hls.
#include "hw/core/core.h"
#include "hw/core/params.h"

struct Config {
  static constexpr vta::CoreSizes kSizes = {1, 16, 16, 32768, 32768, 262144, 131072, 512, 1023};
};

template struct vta::core::Core<vta::core::Params<Config>>;
