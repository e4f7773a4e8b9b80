// SPDX-License-Identifier: Apache-2.0
//
// Trained networks from ONNX models, in fp32 on the host.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "compiler/import/network.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/host/image.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/error_in.h"
#include "tests/support/shared_data.h"
#include "tests/unit/compiler/quantize/resnet20.h"

namespace vta {
namespace {

namespace fs = std::filesystem;

// A network file that names a model by its absolute path.
import::Network load(const fs::path& model, const std::string& shape, const std::string& image) {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "network.json";
  write_file(file, fmt::format(R"({{"format": 1, "name": "net", "onnx": "{}", "quantize": "mse",
                               "input": {{"name": "input", "shape": {}, "image": {}}}}})",
                               fs::absolute(model).string(), shape, image));
  return import::load_network(file.string());
}

int best(const import::Network& network, const Tensor& input) {
  return test::argmax(quantize::run_graph(network.graph, {input}).at(0));
}

std::vector<uint8_t> read_gzip(const fs::path& path, size_t limit) {
  std::vector<uint8_t> bytes(limit);
  gzFile file = gzopen(path.c_str(), "rb");
  const int count = file == nullptr ? 0 : gzread(file, bytes.data(), static_cast<unsigned>(limit));
  if (file != nullptr) gzclose(file);
  bytes.resize(static_cast<size_t>(std::max(count, 0)));
  return bytes;
}

TEST(OnnxNetworks, LeNetReadsDigits) {
  const fs::path data = test::shared_data();
  if (data.empty()) GTEST_SKIP() << "[SKIP] no shared data";
  constexpr size_t kCount = 200, kPixels = 28 * 28, kImageHeader = 16, kLabelHeader = 8;
  const import::Network network =
      load(data / "models/lenet5_mnist.onnx", "[1, 1, 32, 32]",
           R"({"channels": "gray", "scale": 0.00392156862745098, "mean": [0], "stddev": [1]})");
  const std::vector<uint8_t> images =
      read_gzip(data / "mnist/t10k-images-idx3-ubyte.gz", kImageHeader + kCount * kPixels);
  const std::vector<uint8_t> labels =
      read_gzip(data / "mnist/t10k-labels-idx1-ubyte.gz", kLabelHeader + kCount);
  ASSERT_EQ(images.size(), kImageHeader + kCount * kPixels);
  int hits = 0;
  for (size_t i = 0; i < kCount; ++i) {
    host::Image image;
    image.height = image.width = 28;
    for (size_t k = 0; k < kPixels; ++k) {
      image.rgb.insert(image.rgb.end(), 3, images[kImageHeader + i * kPixels + k]);
    }
    const Tensor input = host::preprocess(image, *network.image, {1, 1, 32, 32});
    hits += best(network, input) == labels.at(kLabelHeader + i) ? 1 : 0;
  }
  EXPECT_GE(hits, 197);
}

TEST(OnnxNetworks, SqueezeNetRecognizesPhotographs) {
  const fs::path data = test::shared_data();
  if (data.empty()) GTEST_SKIP() << "[SKIP] no shared data";
  const import::Network network =
      load(data / "models/squeezenet_v1.1.onnx", "[1, 3, 227, 227]",
           R"({"channels": "bgr", "scale": 1, "mean": [104, 117, 123], "stddev": [1, 1, 1],
               "resize": [256, 256]})");
  std::ifstream classes(data / "imagenet_samples/classes.txt");
  int label = 0, hits = 0, count = 0;
  for (std::string name; count < 40 && classes >> label >> name; ++count) {
    const host::Image image = host::read_image(data / "imagenet_samples" / name);
    hits +=
        best(network, host::preprocess(image, *network.image, {1, 3, 227, 227})) == label ? 1 : 0;
  }
  ASSERT_EQ(count, 40);
  EXPECT_GE(hits, 24);  // 67 % on all available samples
}

// Against the network built by hand from the same weights: shortcuts are chains of Slice and Pad
// whose bounds the model computes from shapes.
TEST(OnnxNetworks, ResNet20GivesWhatItsWeightsGive) {
  const fs::path data = test::shared_data();
  if (data.empty()) GTEST_SKIP() << "[SKIP] no shared data";
  const import::Network network =
      import::load_network((data / "models/resnet20_cifar.onnx").string());
  const graph::Graph reference = test::resnet20(data);
  const test::CifarImages images = test::read_cifar(data / "cifar10/test_first932.bin", 8);
  for (const std::vector<Tensor>& input : images.inputs) {
    const Tensor result = quantize::run_graph(network.graph, input).at(0);
    const Tensor expected = quantize::run_graph(reference, input).at(0);
    ASSERT_EQ(result.type(), expected.type());
    for (size_t i = 0; i < result.data<float>().size(); ++i) {
      EXPECT_NEAR(result.data<float>()[i], expected.data<float>()[i], 1e-4);
    }
  }
}

class OnnxNetworkFile : public testing::Test {
 protected:
  OnnxNetworkFile() {
    onnx::ModelBuilder model;
    model.input("x", {-1, 3, 8, 8})
        .floats("w", {4, 3, 1, 1}, std::vector<double>(12, 0.5))
        .node("Conv", {"x", "w"}, {"y"})
        .output("y");
    write_file(scratch_.path() / "small model.onnx", model.bytes());
    write_file(scratch_.path() / "unnamed", model.bytes());
    onnx::ModelBuilder open;
    open.input("x", {-1, 3, -1, 8})
        .floats("w", {4, 3, 1, 1}, std::vector<double>(12, 0.5))
        .node("Conv", {"x", "w"}, {"y"})
        .output("y", {1, 4, 100, 8});  // as traced
    write_file(scratch_.path() / "open.onnx", open.bytes());
  }

  // The input shape of the graph of a network file or model.
  std::vector<int64_t> input_shape(const std::string& file,
                                   const import::NetworkOptions& options = {}) {
    const import::Network network =
        import::load_network((scratch_.path() / file).string(), options);
    return network.graph.node(network.graph.inputs().at(0)).type.shape;
  }

  std::string size_error(const std::string& file, std::array<int64_t, 2> size) {
    return error_in(
        [&] { import::load_network((scratch_.path() / file).string(), {"", {}, size}); });
  }

  std::string error(const std::string& json, const import::NetworkOptions& options = {}) {
    write_file(scratch_.path() / "net.json", json);
    try {
      import::load_network((scratch_.path() / "net.json").string(), options);
    } catch (const Error& error) {
      return std::string(error.what()).substr(scratch_.path().string().size());
    }
    return "";
  }

  ScratchFolder scratch_;
};

TEST_F(OnnxNetworkFile, IsNamedAfterItsFile) {
  const import::Network network =
      import::load_network((scratch_.path() / "small model.onnx").string());
  EXPECT_EQ(network.graph.name, "small_model");
  EXPECT_EQ(network.weights, "small model.onnx");
}

TEST_F(OnnxNetworkFile, IsKnownByItsFirstByteToo) {
  EXPECT_NO_THROW(import::load_network((scratch_.path() / "unnamed").string()));
}

TEST_F(OnnxNetworkFile, TakesPreprocessingFromANetworkFile) {
  EXPECT_EQ(error(R"({"format": 1, "name": "net", "onnx": "small model.onnx", "quantize": "max",
                      "input": {"name": "x", "shape": [1, 3, 8, 8]}})"),
            "");
}

TEST_F(OnnxNetworkFile, RefusesAnotherInput) {
  EXPECT_NE(error(R"({"format": 1, "name": "net", "onnx": "small model.onnx", "quantize": "max",
                      "input": {"name": "x", "shape": [1, 3, 9, 8]}})")
                .find("field 'input' is 'x' of shape [1, 3, 9, 8], "),
            std::string::npos);
}

TEST_F(OnnxNetworkFile, SaysTheSizesThatTheModelLeavesOpen) {
  EXPECT_EQ(error(R"({"format": 1, "name": "net", "onnx": "open.onnx", "quantize": "max",
                      "input": {"name": "x", "shape": [1, 3, 6, 8]}})"),
            "");
  EXPECT_EQ(input_shape("net.json"), (std::vector<int64_t>{1, 3, 6, 8}));
  EXPECT_EQ(input_shape("net.json", {"", {}, {{7, 8}}}), (std::vector<int64_t>{1, 3, 7, 8}));
}

TEST_F(OnnxNetworkFile, TakesOpenSizesFromTheCommandLine) {
  EXPECT_EQ(input_shape("open.onnx", {"", {}, {{5, 8}}}), (std::vector<int64_t>{1, 3, 5, 8}));
  EXPECT_EQ(input_shape("small model.onnx", {"", {}, {{8, 8}}}),
            (std::vector<int64_t>{1, 3, 8, 8}));
}

TEST_F(OnnxNetworkFile, RefusesASizeThatIsNotTheModels) {
  EXPECT_NE(size_error("open.onnx", {5, 6})
                .find("input size 5 x 6: axis 3 of the model's input 'x' is fixed to 8"),
            std::string::npos);
  EXPECT_NE(size_error("small model.onnx", {9, 8})
                .find("input size 9 x 8: axis 2 of the model's input 'x' is fixed to 8"),
            std::string::npos);
}

TEST_F(OnnxNetworkFile, TakesInputsOfAnyPrecisionAndOfPixels) {
  for (const onnx::ElementType type :
       {onnx::ElementType::kFloat16, onnx::ElementType::kDouble, onnx::ElementType::kUint8}) {
    onnx::ModelBuilder model;
    model.input("x", {1, 3, 8, 8}, type)
        .node("Cast", {"x"}, {"f"}, {{"to", int64_t{1}}})
        .floats("w", {4, 3, 1, 1}, std::vector<double>(12, 0.5))
        .node("Conv", {"f", "w"}, {"y"})
        .output("y");
    write_file(scratch_.path() / "typed.onnx", model.bytes());
    EXPECT_EQ(input_shape("typed.onnx"), (std::vector<int64_t>{1, 3, 8, 8}));
  }
}

TEST_F(OnnxNetworkFile, KeepsAFixedBatch) {
  onnx::ModelBuilder model;
  model.input("x", {4, 3, 8, 8})
      .floats("w", {4, 3, 1, 1}, std::vector<double>(12, 0.5))
      .node("Conv", {"x", "w"}, {"y"})
      .output("y", {4, 4, 8, 8});
  write_file(scratch_.path() / "batch.onnx", model.bytes());
  EXPECT_EQ(input_shape("batch.onnx"), (std::vector<int64_t>{4, 3, 8, 8}));
}

// Shapes in constants of the file or of a node may name its size.
TEST_F(OnnxNetworkFile, KeepsAFixedBatchThatIsReshaped) {
  onnx::ModelBuilder model;
  model.input("x", {4, 2, 8, 8})
      .integers("rows", {4, -1})
      .integers("images", {-1, 4, 8, 4})
      .node("Reshape", {"x", "rows"}, {"r"})
      .node("Constant", {}, {"image"}, {{"value_ints", std::vector<int64_t>{4, 2, 8, 8}}})
      .node("Reshape", {"r", "image"}, {"i"})
      .node("Reshape", {"i", "images"}, {"j"})
      .node("Relu", {"j"}, {"y"})
      .output("y");
  write_file(scratch_.path() / "batch.onnx", model.bytes());
  const import::Network network = import::load_network((scratch_.path() / "batch.onnx").string());
  const graph::Graph& graph = network.graph;
  EXPECT_EQ(graph.node(graph.outputs().at(0)).type.shape, (std::vector<int64_t>{4, 4, 8, 4}));
}

TEST_F(OnnxNetworkFile, KnowsTheSidesOfImagesWhoseChannelsAreLast) {
  onnx::ModelBuilder model;
  model.input("x", {-1, -1, -1, 3})
      .node("Transpose", {"x"}, {"t"}, {{"perm", std::vector<int64_t>{0, 3, 1, 2}}})
      .floats("w", {4, 3, 1, 1}, std::vector<double>(12, 0.5))
      .node("Conv", {"t", "w"}, {"scores/1"})
      .output("scores/1");
  write_file(scratch_.path() / "nhwc.onnx", model.bytes());
  EXPECT_EQ(input_shape("nhwc.onnx", {"", {}, {{5, 8}}}), (std::vector<int64_t>{1, 5, 8, 3}));
  import::NetworkOptions options{"", {}, {{5, 8}}};
  options.preprocess.preset = "0-1";
  const import::Network network =
      import::load_network((scratch_.path() / "nhwc.onnx").string(), options);
  EXPECT_EQ(network.image.value().layout, "nhwc");
  EXPECT_EQ(network.output_names, (std::vector<std::string>{"scores/1"}));
}

TEST_F(OnnxNetworkFile, RejectsLayersAndWeightsTogetherWithAModel) {
  EXPECT_NE(error(R"({"format": 1, "name": "net", "onnx": "small model.onnx", "quantize": "max",
                      "input": {"name": "x", "shape": [1, 3, 8, 8]}, "layers": []})")
                .find("layers"),
            std::string::npos);
  EXPECT_NE(error(R"({"format": 1, "name": "net", "onnx": "small model.onnx", "quantize": "max",
                      "input": {"name": "x", "shape": [1, 3, 8, 8]}})",
                  {"other.npz", {}})
                .find("weights 'other.npz': an ONNX model contains its weights"),
            std::string::npos);
}

TEST_F(OnnxNetworkFile, RefusesASeed) {
  const Error error = expect_error([&] { input_shape("small model.onnx", {"", 7}); });
  EXPECT_TRUE(std::string(error.what())
                  .ends_with("small model.onnx: seed 7: an ONNX model has no synthetic weights"));
}

}  // namespace
}  // namespace vta
