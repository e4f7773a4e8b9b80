// SPDX-License-Identifier: Apache-2.0
//
// Trained ResNet-20 on 932 CIFAR-10 test images: the documented fp32 accuracy, and lower bounds of
// the int8 accuracy.
#include <gtest/gtest.h>

#include "compiler/quantize/quantize.h"
#include "compiler/quantize/run_graph.h"
#include "tests/support/shared_data.h"
#include "tests/unit/compiler/quantize/resnet20.h"

namespace vta::quantize {
namespace {

constexpr size_t kNumTestImages = 932, kNumCalibrationImages = 64;

class Resnet20Accuracy : public testing::Test {
 protected:
  void SetUp() override {
    data_ = test::shared_data();
    if (data_.empty()) GTEST_SKIP() << "[SKIP] no shared data";
    graph_ = test::resnet20(data_);
    images_ = test::read_cifar(data_ / "cifar10/test_first932.bin", kNumTestImages);
    ASSERT_EQ(images_.labels.size(), kNumTestImages);
  }

  double top1_percent(const graph::Graph& graph) const {
    GraphRunner runner(graph, GraphRunner::Results::kOutputs);
    int right = 0;
    for (size_t i = 0; i < kNumTestImages; ++i) {
      if (test::argmax(runner.run(images_.inputs[i])[0]) == images_.labels[i]) ++right;
    }
    return 100.0 * right / kNumTestImages;
  }

  double int8_top1_percent(const Options& method) const {
    const test::CifarImages calibration =
        test::read_cifar(data_ / "cifar10/train_calib.bin", kNumCalibrationImages);
    return top1_percent(quantize(graph_, method, calibration.inputs));
  }

  std::filesystem::path data_;
  graph::Graph graph_;
  test::CifarImages images_;
};

TEST_F(Resnet20Accuracy, InFp32IsTheDocumentedOne) {
  EXPECT_NEAR(top1_percent(graph_), 91.63, 0.005);
}
TEST_F(Resnet20Accuracy, ByGlobalScalesIsAboveTheFloor) {
  EXPECT_GE(int8_top1_percent(Method::kGlobal), 90.6);
}
// Outliers in the calibration images cost this simplest method some accuracy.
TEST_F(Resnet20Accuracy, ByLargestValuesIsAboveItsFloor) {
  EXPECT_GE(int8_top1_percent(Method::kMax), 90.0);
}
TEST_F(Resnet20Accuracy, BySquaredErrorIsAboveTheFloor) {
  EXPECT_GE(int8_top1_percent(Method::kMse), 91.2);
}
TEST_F(Resnet20Accuracy, ByDivergenceIsAboveTheFloor) {
  EXPECT_GE(int8_top1_percent(Method::kKl), 91.2);
}

}  // namespace
}  // namespace vta::quantize
