// SPDX-License-Identifier: Apache-2.0
//
// Writes random networks as ONNX models, each with an input and with what its imported graph
// computes of that in fp32, for beside_onnxruntime.py:
//   VTA_TEST_SEED=7 VTA_TEST_COUNT=100 build/release/tests/write_random_models FOLDER
// For each seed FOLDER/SEED.onnx, and the float32 values of the two tensors in SEED.input and
// SEED.output. By default the seeds are those of random_onnx_test.
#include <cstdio>
#include <exception>
#include <filesystem>

#include "base/files/file.h"
#include "compiler/import/network.h"
#include "compiler/quantize/run_graph.h"
#include "tests/support/onnx_of_graph.h"
#include "tests/support/random_network.h"
#include "tests/support/test_count.h"

namespace vta::test {
namespace {

void write_model(const std::filesystem::path& folder, uint64_t seed) {
  RandomNetwork random(seed, RandomNetwork::Layers::kOdd);
  const graph::Graph exact = random.build();
  const Tensor input = random.tensor(exact.node(exact.inputs()[0]).type.shape, 1);
  const std::string model = (folder / fmt::format("{}.onnx", seed)).string();
  write_file(model, onnx_of(exact, seed));
  const Tensor output = quantize::run_graph(import::load_network(model).graph, {input}).at(0);
  write_file(folder / fmt::format("{}.input", seed), input.bytes());
  write_file(folder / fmt::format("{}.output", seed), output.bytes());
}

}  // namespace
}  // namespace vta::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_random_models FOLDER\n", stderr);
    return 1;
  }
  uint64_t seed = 0;
  try {
    const vta::support::Seeds seeds = vta::support::test_seeds(1, 40);
    for (seed = seeds.begin; seed < seeds.end; ++seed) vta::test::write_model(argv[1], seed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_random_models: seed %llu: %s\n",
                 static_cast<unsigned long long>(seed), error.what());
    return 1;
  }
  return 0;
}
