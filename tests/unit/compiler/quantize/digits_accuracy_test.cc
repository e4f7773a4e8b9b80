// SPDX-License-Identifier: Apache-2.0
//
// The network for handwritten digits, on its held-out images.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/array_file.h"
#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/import/network.h"
#include "compiler/quantize/quantize.h"
#include "compiler/quantize/run_graph.h"
#include "tests/unit/compiler/quantize/resnet20.h"

namespace vta::quantize {
namespace {

const std::filesystem::path kNetworks = "configs/networks";  // tests run in the project's root

std::vector<std::vector<Tensor>> read_images(const NamedArrays& arrays) {
  const NamedArray& images = arrays.at("images");
  const std::vector<float> values = images.to_floats();
  std::vector<int64_t> shape = images.shape;
  const auto count = static_cast<size_t>(shape[0]), size = values.size() / count;
  shape[0] = 1;
  std::vector<std::vector<Tensor>> inputs;
  for (size_t i = 0; i < count; ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * size);
    inputs.push_back(
        {Tensor(shape, std::vector<float>(first, first + static_cast<std::ptrdiff_t>(size)))});
  }
  return inputs;
}

class DigitsAccuracy : public testing::Test {
 protected:
  DigitsAccuracy() : graph_(import::load_network((kNetworks / "digits.json").string()).graph) {
    graph::fold_batch_norm(graph_);
    const NamedArrays test = read_arrays(kNetworks / "digits/test.npz");
    images_ = read_images(test);
    labels_ = test.at("labels").to_integers();
    fp32_ = top1_percent(graph_);
  }

  double top1_percent(const graph::Graph& graph) const {
    GraphRunner runner(graph, GraphRunner::Results::kOutputs);
    int right = 0;
    for (size_t i = 0; i < images_.size(); ++i) {
      if (test::argmax(runner.run(images_[i])[0]) == labels_[i]) ++right;
    }
    return 100.0 * right / static_cast<double>(images_.size());
  }

  graph::Graph graph_;
  std::vector<std::vector<Tensor>> images_;
  std::vector<int64_t> labels_;
  double fp32_ = 0;
};

TEST_F(DigitsAccuracy, InFp32IsAboveTheFloor) {
  EXPECT_GE(images_.size(), 500u);
  EXPECT_GE(fp32_, 98.0);
}

TEST_F(DigitsAccuracy, InInt8IsWithinHalfAPointForEveryMethod) {
  const auto calibration = read_images(read_arrays(kNetworks / "digits/calibration.npz"));
  for (Method method : {Method::kGlobal, Method::kMax, Method::kMse, Method::kKl}) {
    EXPECT_NEAR(top1_percent(quantize(graph_, method, calibration)), fp32_, 0.5);
  }
}

}  // namespace
}  // namespace vta::quantize
