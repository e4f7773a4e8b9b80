// SPDX-License-Identifier: Apache-2.0
//
// ResNet-20 for CIFAR-10 with trained weights and folded batch norms, and its test images.
// Independent of the network importer.
#ifndef VTA_TESTS_UNIT_COMPILER_QUANTIZE_RESNET20_H_
#define VTA_TESTS_UNIT_COMPILER_QUANTIZE_RESNET20_H_

#include <filesystem>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::test {

graph::Graph resnet20(const std::filesystem::path& data);

struct CifarImages {
  std::vector<std::vector<Tensor>> inputs;  // float32 [1, 3, 32, 32], normalized
  std::vector<int> labels;
};

// The first `count` images of a CIFAR-10 binary file.
CifarImages read_cifar(const std::filesystem::path& file, size_t count);

// Index of the largest value.
int argmax(const Tensor& logits);

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_COMPILER_QUANTIZE_RESNET20_H_
