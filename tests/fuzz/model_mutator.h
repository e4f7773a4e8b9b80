// SPDX-License-Identifier: Apache-2.0
//
// Changes of ONNX models for fuzzing: of operators, attributes, connections, shapes, types and
// constants. Bytes changed at random break the file's encoding or a name, so the importer refuses
// most of them before it looks at an operator.
#ifndef VTA_TESTS_FUZZ_MODEL_MUTATOR_H_
#define VTA_TESTS_FUZZ_MODEL_MUTATOR_H_

#include <cstdint>
#include <span>
#include <string>

namespace vta::fuzz {

// The model with a few changes that `seed` chooses; "" if the bytes are not a model.
std::string mutate_model(std::span<const uint8_t> bytes, uint64_t seed);

// The graphs of both models in one, the second one under other names and with some of its inputs
// computed by the first;
// "" if one of them is not a model.
std::string join_models(std::span<const uint8_t> first, std::span<const uint8_t> second,
                        uint64_t seed);

}  // namespace vta::fuzz

#endif  // VTA_TESTS_FUZZ_MODEL_MUTATOR_H_
