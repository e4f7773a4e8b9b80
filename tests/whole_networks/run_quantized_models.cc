// SPDX-License-Identifier: Apache-2.0
//
// Runs quantized ONNX models on the functional core, for quantized_beside_onnxruntime.py:
//   VTA_TEST_SEED=7 VTA_TEST_COUNT=100 build/release/tests/run_quantized_models FOLDER
// For each seed it reads FOLDER/SEED.onnx and the float32 values of its input, SEED.input. It
// writes those of the output to SEED.output or, if the model does not compile, the message to
// SEED.error.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "base/files/file.h"
#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "runtime/host/host_operators.h"
#include "runtime/program/macs.h"
#include "runtime/session/session.h"
#include "sim/functional/functional_device.h"
#include "tests/support/test_count.h"

namespace vta::test {
namespace {

struct Macs {
  uint64_t on_core = 0, all = 0;
};

Tensor input_of(const Program& program, const std::filesystem::path& file) {
  Tensor input(program.value(program.inputs.at(0).value).type);
  const std::vector<uint8_t> bytes = read_file(file);
  if (bytes.size() != input.bytes().size()) {
    fail(ErrorCode::kInvalidArgument, "{}: {} bytes, the model's input has {}", file.string(),
         bytes.size(), input.bytes().size());
  }
  std::ranges::copy(bytes, input.mutable_bytes().begin());
  return input;
}

void run_model(const std::filesystem::path& folder, uint64_t seed, driver::Device& device,
               const CompileOptions& options, Macs& macs) {
  const auto file = [&](const char* suffix) { return folder / fmt::format("{}.{}", seed, suffix); };
  try {
    const Program program = compile(import::load_network(file("onnx").string()), options).program;
    const MacSums sums = macs_of(program);
    macs.on_core += sums.on_core;
    macs.all += sums.all;
    Session session(program, device, host::execute);
    const Tensor output = session.run({input_of(program, file("input"))}).at(0);
    write_file(file("output"), output.bytes());
  } catch (const Error& error) {
    write_file(file("error"), std::string(error.what()));
  }
}

void run_models(const std::filesystem::path& folder) {
  const support::Seeds seeds = support::test_seeds(1, 40);
  CompileOptions options;
  options.core = load_core_config("vta_1x16");
  options.schedules = {kNoSchedules};
  const auto device = sim::open_functional_device("functional", options.core);
  Macs macs;
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed)
    run_model(folder, seed, *device, options, macs);
  std::printf("%llu of %llu MACs on the core\n", static_cast<unsigned long long>(macs.on_core),
              static_cast<unsigned long long>(macs.all));
}

}  // namespace
}  // namespace vta::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: run_quantized_models FOLDER\n", stderr);
    return 1;
  }
  try {
    vta::test::run_models(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "run_quantized_models: %s\n", error.what());
    return 1;
  }
  return 0;
}
