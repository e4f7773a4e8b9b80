// SPDX-License-Identifier: Apache-2.0
//
// Several images in one inference: a core of batch 4 computes four of them in the time of one.
#ifndef VTA_SIM_TOOL_NETWORK_BATCH_H_
#define VTA_SIM_TOOL_NETWORK_BATCH_H_

#include <cstdint>
#include <vector>

#include "compiler/import/network.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

// The network of batch 1 with inputs and results for `batch` images.
import::Network with_batch(const import::Network& network, int64_t batch);

// Images `first`, `first + 1`, ... ([1, c, h, w] each) as one tensor [batch, c, h, w]; beyond the
// last image it goes on with image 0.
Tensor stack_images(const std::vector<Tensor>& images, size_t first, int64_t batch);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_NETWORK_BATCH_H_
