// SPDX-License-Identifier: Apache-2.0
//
// ONNX's node tests as seeds: models with every operator of the standard.
#ifndef VTA_TESTS_FUZZ_NODE_MODELS_H_
#define VTA_TESTS_FUZZ_NODE_MODELS_H_

#include <filesystem>

namespace vta::fuzz {

// Writes the models of the node tests in a folder, each also with its small inputs (shapes, axes,
// indices, bounds) as constants, which many operators require. Models above 8,192 bytes are left
// out.
void write_node_models(const std::filesystem::path& tests, const std::filesystem::path& folder);

}  // namespace vta::fuzz

#endif  // VTA_TESTS_FUZZ_NODE_MODELS_H_
