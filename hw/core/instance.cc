// SPDX-License-Identifier: Apache-2.0
//
// The core of hw/core for the configuration that the definitions on the command line give.
#include "hw/core/core.h"

struct Params {
  static constexpr uint32_t kBatch = BATCH, kBlockIn = BLOCK_IN, kBlockOut = BLOCK_OUT;
  static constexpr uint32_t kUopDepth = UOP_DEPTH, kInpDepth = INP_DEPTH, kWgtDepth = WGT_DEPTH,
                            kAccDepth = ACC_DEPTH;
  static constexpr uint32_t kCommandDepth = COMMAND_DEPTH, kTokenDepth = TOKEN_DEPTH;
};

template struct vta::core::Core<Params>;
