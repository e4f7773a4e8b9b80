// SPDX-License-Identifier: Apache-2.0
//
// Accuracy of trained networks: vta-sim eval on the functional device, int8 compared with fp32.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/tool_run.h"
#include "tests/support/shared_data.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;

class TrainedNetworks : public testing::Test {
 protected:
  void SetUp() override {
    if (test::shared_data().empty()) GTEST_SKIP() << "[SKIP] no shared data";
    data_ = fs::absolute(test::shared_data());
  }

  // A network file that names an ONNX model.
  std::string network(const std::string& model, const std::string& shape,
                      const std::string& image) const {
    const fs::path file = folder_.path() / "network.json";
    write_file(file, fmt::format(R"({{"format": 1, "name": "net", "onnx": "{}", "quantize": "mse",
                                 "input": {{"name": "input", "shape": {}, "image": {}}}}})",
                                 (data_ / "models" / model).string(), shape, image));
    return file.string();
  }

  // `dataset` and `calibration`: format, file in the data folder, count.
  nlohmann::json eval(const std::string& network, const std::string& dataset,
                      const std::string& calibration,
                      const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {"vta-sim", "eval", network};
    command.insert(command.end(), {"--dataset", located(dataset)});
    if (!calibration.empty()) command.insert(command.end(), {"--calibrate", located(calibration)});
    command.insert(command.end(), more.begin(), more.end());
    return run_json(command);
  }

 private:
  std::string located(const std::string& dataset) const {
    const size_t colon = dataset.find(':');
    return dataset.substr(0, colon + 1) + (data_ / dataset.substr(colon + 1)).string();
  }

  fs::path data_;
  const ScratchFolder folder_;
};

TEST_F(TrainedNetworks, ResNet20KnowsPhotographs) {
  const nlohmann::json result =
      eval("resnet20_cifar.json", "cifar10:cifar10/test_first932.bin",
           "cifar10:cifar10/train_calib.bin:64",
           {"--weights", (test::shared_data() / "models/resnet20_cifar.npz").string()});
  EXPECT_EQ(result.at("images"), 932);
  EXPECT_NEAR(result.at("fp32_top1").get<double>(), 91.63, 0.005);
  EXPECT_EQ(result.at("quantize"), "free");
  EXPECT_GE(result.at("top1").get<double>(), 91.3);
  EXPECT_GE(result.at("agreement").get<double>(), 99.0);
}

TEST_F(TrainedNetworks, LeNetReadsDigits) {
  const std::string lenet =
      network("lenet5_mnist.onnx", "[1, 1, 32, 32]",
              R"({"channels": "gray", "scale": 0.00392156862745098, "mean": [0], "stddev": [1]})");
  const nlohmann::json result = eval(lenet, "mnist:mnist/t10k-images-idx3-ubyte.gz", "");
  EXPECT_EQ(result.at("images"), 10000);
  EXPECT_GE(result.at("top1").get<double>(), 98.9);
}

// The number of agreements varies by two or three between sets of calibration images.
TEST_F(TrainedNetworks, SqueezeNetSeesWhatItSeesInFp32) {
  const std::string squeezenet = network(
      "squeezenet_v1.1.onnx", "[1, 3, 227, 227]",
      R"({"channels": "bgr", "scale": 1, "mean": [104, 117, 123], "stddev": [1, 1, 1], "resize": [256, 256]})");
  const nlohmann::json result =
      eval(squeezenet, "imagefolder:imagenet_samples", "imagefolder:imagenet_samples:16");
  EXPECT_EQ(result.at("images"), 100);
  EXPECT_GE(result.at("agreement").get<double>(), 93.0);
}

}  // namespace
}  // namespace vta::cli_test
