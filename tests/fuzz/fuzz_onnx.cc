// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/errors/error.h"
#include "compiler/onnx/import_onnx.h"
#include "tests/fuzz/model_mutator.h"

// libFuzzer's own mutator: it changes bytes at random.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

constexpr unsigned kBytesEvery = 8;  // one mutation of so many is of bytes
// One crossover of so many joins models, the others mutate the first one: libFuzzer asks for as
// many crossovers as mutations, and a joined model takes twice the time, mostly to be refused.
constexpr unsigned kJoinsEvery = 8;

// 0 if the model is empty or too large.
size_t copy(const std::string& model, uint8_t* to, size_t max_size) {
  if (model.size() > max_size) return 0;
  std::memcpy(to, model.data(), model.size());
  return model.size();
}

}  // namespace

// Imports a model: the result must be an Error or a consistent graph.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    vta::graph::verify(vta::onnx::import_onnx(vta::onnx::parse_model({data, size})).graph);
  } catch (const vta::Error&) {
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  if (seed % kBytesEvery != 0) {
    if (const size_t changed = copy(vta::fuzz::mutate_model({data, size}, seed), data, max_size))
      return changed;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size,
                                            const uint8_t* second, size_t second_size, uint8_t* out,
                                            size_t max_size, unsigned seed) {
  if (seed % kJoinsEvery != 0)
    return copy(vta::fuzz::mutate_model({first, first_size}, seed), out, max_size);
  return copy(vta::fuzz::join_models({first, first_size}, {second, second_size}, seed), out,
              max_size);
}
