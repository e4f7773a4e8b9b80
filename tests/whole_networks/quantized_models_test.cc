// SPDX-License-Identifier: Apache-2.0
//
// Models that ONNX Runtime quantized (tests/onnx/quantized/generate.py) on the core, compared with
// its results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/files/array_file.h"
#include "compiler/compile.h"
#include "runtime/host/host_operators.h"
#include "runtime/program/macs.h"
#include "runtime/session/session.h"
#include "sim/functional/functional_device.h"

namespace vta {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = "tests/onnx/quantized";  // tests run in the project's root

Tensor array(const std::string& name) {
  const NamedArray found = read_arrays(kFolder / "expected.npz").at(name);
  return Tensor(found.shape, found.to_floats());
}

class QuantizedModels : public testing::TestWithParam<std::string> {
 protected:
  CompileResult compiled(bool requantize = false) {
    const fs::path model = kFolder / ("small." + GetParam() + ".onnx");
    const import::Network network = import::load_network(model.string());
    CompileOptions options;
    options.core = load_core_config("vta_1x16");
    options.requantize = requantize;
    return compile(network, options);
  }
};

// The unit of the results: all are its multiples.
double unit_of(const Program& program) {
  for (const ProgramStep& step : program.steps) {
    if (step.op == OpKind::kDequantize) return step.attrs.unit;
  }
  return 0;
}

// Each tensor is within a level of ONNX Runtime's for the same operands; over 14 layers these add
// up. Computing the model in fp32, conversions included, differs from ONNX Runtime's results for
// QDQ by 0.69 levels on average.
TEST_P(QuantizedModels, RunOnTheCoreWithTheResultsOfOnnxRuntime) {
  const CompileResult result = compiled();
  const MacSums macs = macs_of(result.program);
  EXPECT_EQ(macs.on_core, macs.all);
  const auto device = sim::open_functional_device("functional", result.program.core);
  Session session(result.program, *device, host::execute);
  const Tensor images = array("images"), expected = array(GetParam());
  const double unit = unit_of(result.program);
  ASSERT_GT(unit, 0);
  double levels = 0;
  const int64_t elems = images.num_elems() / images.dim(0), classes = expected.dim(1);
  for (int64_t n = 0; n < images.dim(0); ++n) {
    Tensor image(TensorType{DType::kFloat32, {1, 3, 16, 16}});
    std::copy_n(&images.data<float>()[static_cast<size_t>(n * elems)], elems,
                image.mutable_data<float>().begin());
    const Tensor scores = session.run({image}).at(0);
    for (int64_t c = 0; c < classes; ++c) {
      const double difference = scores.data<float>()[static_cast<size_t>(c)] -
                                expected.data<float>()[static_cast<size_t>(n * classes + c)];
      ASSERT_LE(std::abs(difference), 2.01 * unit) << "image " << n << ", class " << c;
      levels += std::abs(difference) / unit;
    }
  }
  EXPECT_LE(levels, 0.75 * static_cast<double>(expected.num_elems()));
}

TEST_P(QuantizedModels, LeaveToTheHostWhatAFloatNetworkLeaves) {
  for (const LayerSummary& layer : compiled().layers) {
    const bool on_host = layer.op == "dequantize" || layer.op == "lookup" ||
                         layer.op == "global_avg_pool2d" || layer.op == "qavg_pool2d" ||
                         layer.op == "flatten";
    EXPECT_TRUE(layer.where == Place::kCore || on_host) << layer.layer << " (" << layer.op << ")";
  }
}

TEST_P(QuantizedModels, StartFromFp32IfRequantized) {
  const CompileResult result = compiled(/*requantize=*/true);
  EXPECT_NE(result.program.quantize, "own");
  EXPECT_EQ(macs_of(result.program).on_core, macs_of(result.program).all);
}

INSTANTIATE_TEST_SUITE_P(Formats, QuantizedModels,
                         testing::Values("qdq_u8", "qdq_s8", "qop_u8", "qop_s8"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace vta
