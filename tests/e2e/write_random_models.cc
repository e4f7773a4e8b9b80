// SPDX-License-Identifier: Apache-2.0
//
// Writes random networks as ONNX models, each with an input and with what its imported graph
// computes of that in fp32, for beside_onnxruntime.py:
//   build/release/tests/write_random_models FOLDER FIRST_SEED COUNT
// For each seed FOLDER/SEED.onnx, and the float32 values of the two tensors in SEED.input and
// SEED.output.
#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <string>

#include "compiler/import/network.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "tests/support/onnx_of_graph.h"
#include "tests/support/random_network.h"

namespace vta::test {
namespace {

uint64_t number(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(ErrorCode::kInvalidArgument, "expected a number; got '{}'", text);
  return value;
}

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
  const std::span<char*> arguments(argv, static_cast<size_t>(argc));
  if (arguments.size() != 4) {
    std::fputs("usage: write_random_models FOLDER FIRST_SEED COUNT\n", stderr);
    return 1;
  }
  uint64_t seed = 0;
  try {
    const uint64_t count = vta::test::number(arguments[3]);
    seed = vta::test::number(arguments[2]);
    for (const uint64_t end = seed + count; seed < end; ++seed)
      vta::test::write_model(arguments[1], seed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_random_models: seed %llu: %s\n",
                 static_cast<unsigned long long>(seed), error.what());
    return 1;
  }
  return 0;
}
