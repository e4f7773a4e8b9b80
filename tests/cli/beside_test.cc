// SPDX-License-Identifier: Apache-2.0
//
// vta-sim bench --beside with stand-ins for NumPy and the other runtimes, which say what they were
// asked to do. No test asserts a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;

constexpr const char* kModel = "tests/onnx/quantized/small.qdq_u8.onnx";

constexpr const char* kNumpy = R"(
class Array:
    def __init__(self, shape): self.shape = list(shape)
    def astype(self, dtype): self.dtype = dtype; return self
class Generator:
    def standard_normal(self, shape): return Array(shape)
class random:
    def default_rng(seed): return Generator()
)";

// Writes a line to a file for the session and for each inference.
constexpr const char* kOnnxruntime = R"(
import os
__version__ = "9.9"
def log(text): open(os.environ["VTA_BESIDE_LOG"], "a").write(text + "\n")
class SessionOptions: pass
class Input: name = "x"
class InferenceSession:
    def __init__(self, model, how, providers):
        if not model.endswith(".onnx"): raise ValueError("not a model: " + model)
        log(f"{model} {how.intra_op_num_threads} {providers}")
        log(f"spins {os.environ.get('GOMP_SPINCOUNT')} {os.environ.get('VTA_LIMITS_OPENMP_SPINS')}")
    def get_inputs(self): return [Input]
    def run(self, outputs, feeds): log(f"{feeds['x'].dtype} {feeds['x'].shape}")
)";

constexpr const char* kTorch = R"(
__version__ = "8.8"
def set_num_threads(count): pass
def set_grad_enabled(on): pass
def from_numpy(array): return array
class Module:
    def eval(self): return self
    def __call__(self, x): return x
class jit:
    def load(model): return Module()
)";

class Beside : public ::testing::Test {
 protected:
  Beside() {
    ::setenv("PYTHONPATH", folder_.path().c_str(), 1);
    ::setenv("VTA_BESIDE_LOG", log().c_str(), 1);
    write_file(folder_ / "numpy.py", std::string(kNumpy));
  }
  ~Beside() override { ::unsetenv("PYTHONPATH"); }
  std::string log() const { return folder_ / "log"; }
  void install(const std::string& runtime, const std::string& text) {
    write_file(folder_ / (runtime + ".py"), text);
  }

  ScratchFolder folder_;
};

TEST_F(Beside, PrintsTheResultOfTheOtherRuntimeAfterOurs) {
  install("onnxruntime", kOnnxruntime);
  const std::vector<std::string> bench = {"vta-sim",     "bench",  kModel,      "--beside",
                                          "onnxruntime", "--fp32", "--threads", "2",
                                          "--repeat",    "3",      "--number",  "2"};
  const std::string text = run_ok(bench);
  EXPECT_PRED2(matches, text, "ProfileResult[^\n]*\n[^\n]* in onnxruntime 9.9, 2 threads, batch 1");
  EXPECT_PRED2(matches, text, "\nProfileResult\\([^\n]*\\)\\)\n$");
  const std::string asked = read_text_file(log());
  EXPECT_PRED2(contains, asked, std::string(kModel) + " 2 ['CPUExecutionProvider']\n");
  EXPECT_PRED2(contains, asked, "float32 [1, ");
  EXPECT_PRED2(contains, asked, "spins None None\n");         // the limit of our threads
  EXPECT_EQ(std::ranges::count(asked, '\n'), 2 + 1 + 3 * 2);  // session, warm-up, samples
  const json both = run_json(bench);
  EXPECT_EQ(both.at("beside").at("seconds").size(), 3u);
  EXPECT_EQ(both.at("beside").at("number"), 2);
}

TEST_F(Beside, TakesAModelOfItsOwnForNetworksOfOtherKinds) {
  install("torch", kTorch);
  const std::string text = run_ok({"vta-sim", "bench", "digits.json", "--beside", "torch",
                                   "--beside-model", "digits.pt", "--repeat", "2"});
  EXPECT_PRED2(contains, text, "digits.pt in torch 8.8, 1 thread, batch 1: 2 samples");
}

TEST_F(Beside, SaysWhatIsMissingInOneLine) {
  const auto error = [](std::vector<std::string> options, int status) {
    options.insert(options.begin(), {"vta-sim", "bench"});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_PRED2(contains, error({"digits.json", "--beside", "onnxruntime"}, 2),
               "needs --beside-model with an ONNX model of digits.json");
  EXPECT_PRED2(contains, error({"digits.json", "--beside", "torch"}, 2), "a TorchScript file");
  EXPECT_PRED2(contains, error({"digits.json", "--beside-model", "x.onnx"}, 2), "needs --beside");
  EXPECT_PRED2(contains, error({"digits.json", "--beside", "tvm"}, 2), "--beside");
  install("onnxruntime", "raise ImportError('no such library')");
  EXPECT_PRED2(contains, error({kModel, "--beside", "onnxruntime"}, 1),
               "onnxruntime is not installed for python3: no such library");
  install("onnxruntime", kOnnxruntime);
  EXPECT_PRED2(contains, error({kModel, "--beside", "onnxruntime", "--beside-model", "net.pt"}, 1),
               "onnxruntime, net.pt: ValueError: not a model: net.pt");
}

}  // namespace
}  // namespace vta::cli_test
