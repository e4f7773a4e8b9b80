// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/network.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "compiler/import/quantized_file.h"
#include "tests/support/error_in.h"

namespace vta::import {
namespace fs = std::filesystem;
namespace {

// A network file in its own folder.
class NetworkTest : public ::testing::Test {
 public:
  NetworkTest()
      : folder_(fs::temp_directory_path() / ("vta_network_test." + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~NetworkTest() override { fs::remove_all(folder_); }

 protected:
  Network load(const std::string& layers,
               const std::string& weights = R"({"synthetic": {"seed": 1}})",
               const std::string& shape = "[1, 2, 4, 4]") {
    const std::string path = (folder_ / "net.json").string();
    write_file(path, R"({"format": 1, "name": "net", "input": {"name": "data", "shape": )" + shape +
                         R"(}, "quantize": "global", "weights": )" + weights + R"(, "layers": [)" +
                         layers + "]}");
    return load_network(path);
  }

  std::string error_of(const std::string& layers,
                       const std::string& weights = R"({"synthetic": {"seed": 1}})",
                       const std::string& shape = "[1, 2, 4, 4]") {
    try {
      load(layers, weights, shape);
    } catch (const Error& error) {
      const std::string message = error.what();
      const std::string prefix = (folder_ / "net.json").string() + ": ";
      EXPECT_TRUE(message.starts_with(prefix)) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      return message.substr(std::min(prefix.size(), message.size()));
    }
    return "";
  }

  // Writes float32 arrays of the given sizes, filled with `value`.
  void write_weights(const std::vector<std::pair<std::string, std::vector<int64_t>>>& arrays,
                     float value = 1, const std::string& dtype = "F32") {
    std::string header, data;
    for (const auto& [name, shape] : arrays) {
      int64_t count = 1;
      for (int64_t dim : shape) count *= dim;
      const size_t begin = data.size();
      for (int64_t i = 0; i < count; ++i) data.append(reinterpret_cast<const char*>(&value), 4);
      header += fmt::format(R"({}"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                            header.empty() ? "{" : ",", name, dtype, fmt::join(shape, ","), begin,
                            data.size());
    }
    header += "}";
    const uint64_t size = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &size, 8);
    write_file(folder_ / "w.safetensors", bytes + header + data);
  }

  fs::path folder_;
};

constexpr const char* kConv = R"({"name": "conv", "op": "conv2d", "channels": 3, "kernel": 1})";
constexpr const char* kFile = R"({"file": "w.safetensors"})";

TEST_F(NetworkTest, BecomesAGraph) {
  const Network network = load(
      R"({"name": "conv", "op": "conv2d", "channels": 2, "kernel": 3, "pad": 1, "bias": false},
         {"name": "bn", "op": "batch_norm"},
         {"name": "sum", "op": "add", "inputs": ["bn", "data"]},
         {"name": "clip", "op": "clip", "lo": 0, "hi": 6},
         {"name": "avg", "op": "avg_pool2d", "kernel": 2, "stride": 2, "ceil_mode": true},
         {"name": "slice", "op": "strided_slice", "begin": [0, 0, 0, 0], "end": [1, 2, 2, 2], "step": [1, 1, 2, 2]},
         {"name": "pad", "op": "pad", "before": [0, 1, 0, 0], "after": [0, 1, 0, 0]},
         {"name": "flat", "op": "flatten"},
         {"name": "fc", "op": "dense", "channels": 5},
         {"name": "out", "op": "softmax"})");
  graph::verify(network.graph);
  EXPECT_EQ(network.weights, "synthetic:1");
  EXPECT_EQ(network.folder, folder_);
  const std::string text = graph::to_text(network.graph);
  EXPECT_NE(text.find("%bn = batch_norm(%conv, %bn.weight, %bn.bias, %bn.running_mean, "
                      "%bn.running_var) : float32[1, 2, 4, 4]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("%fc = dense(%flat, %fc.weight, %fc.bias) : float32[1, 5]"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("return %out\n"));
}

TEST_F(NetworkTest, TakesEveryFloatOperator) {
  const Network network = load(
      R"({"name": "up", "op": "conv2d_transpose", "channels": 4, "kernel": 2, "stride": 2, "output_pad": [1, 0], "groups": 2},
         {"name": "leaky", "op": "leaky_relu", "alpha": 0.1},
         {"name": "big", "op": "resize2d", "out": [18, 16], "scale": [2, 2], "resize_mode": "linear", "coordinates": "align_corners"},
         {"name": "pool", "op": "max_pool2d", "kernel": 2, "stride": 2, "dilation": [1, 2], "pad": [0, 1, 0, 0]},
         {"name": "both", "op": "concat", "axis": 1, "inputs": ["leaky", "pool"]},
         {"name": "turned", "op": "transpose", "perm": [0, 2, 3, 1]},
         {"name": "rows", "op": "reshape", "shape": [1, 72, 8]},
         {"name": "columns", "op": "transpose", "perm": [0, 2, 1], "inputs": ["rows"]},
         {"name": "product", "op": "matmul", "inputs": ["rows", "columns"]},
         {"name": "mean", "op": "reduce_mean", "axes": [1]},
         {"name": "scaled", "op": "div", "inputs": ["product", "mean"]},
         {"name": "bright", "op": "hard_sigmoid", "alpha": 0.2, "beta": 0.5},
         {"name": "square", "op": "reshape", "shape": [1, 4, 36, 36]},
         {"name": "space", "op": "depth_to_space", "block": 2, "crd": true},
         {"name": "calm", "op": "lrn", "size": 5, "alpha": 1e-4, "beta": 0.75, "bias": 2},
         {"name": "framed", "op": "pad", "before": [0, 0, 1, 1], "after": [0, 0, 0, 0], "pad_mode": "edge"},
         {"name": "out", "op": "global_max_pool2d"})");
  graph::verify(network.graph);
  const std::string text = graph::to_text(network.graph);
  for (const char* line :
       {"%up = conv2d_transpose(%data, %up.weight, %up.bias) {kernel = [2, 2], stride = [2, 2], "
        "groups = 2, output_pad = [1, 0]} : float32[1, 4, 9, 8]\n",
        "%both = concat(%leaky, %pool) {axis = 1} : float32[1, 8, 9, 8]\n",
        "%calm = lrn(%space) {alpha = 0.0001, beta = 0.75, bias = 2, size = 5} : "
        "float32[1, 1, 72, 72]\n",
        "%out = global_max_pool2d(%framed) : float32[1, 1, 1, 1]\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_EQ(
      error_of(R"({"name": "pad", "op": "pad", "before": [0], "after": [0], "pad_mode": "wrap"})"),
      "layer 0 \"pad\": field 'pad_mode': 'wrap' is not one of constant, reflect, edge");
  EXPECT_EQ(error_of(R"({"name": "all", "op": "concat"})"),
            "layer 0 \"all\": field 'axis' is missing");
}

TEST_F(NetworkTest, IsTheSameEveryTime) {
  const std::string layers = std::string(kConv) + R"(, {"name": "bn", "op": "batch_norm"})";
  const auto text = [&] { return graph::to_text(load(layers).graph); };
  EXPECT_EQ(text(), text());
  const Network other = load(layers, R"({"synthetic": {"seed": 2}})");
  EXPECT_NE(graph::to_text(other.graph), text());
  NetworkOptions options;
  options.seed = 1;
  const Network overridden = load_network((folder_ / "net.json").string(), options);
  EXPECT_EQ(overridden.weights, "synthetic:1");
}

TEST_F(NetworkTest, MeasuresSyntheticBatchNorms) {
  const Network network = load(std::string(kConv) + R"(, {"name": "bn", "op": "batch_norm"})");
  for (graph::NodeId id : network.graph.order()) {
    const graph::Node& node = network.graph.node(id);
    if (node.name == "bn.running_var") EXPECT_NE(node.value.data<float>()[0], 1);
    if (node.name == "bn.running_mean") EXPECT_NE(node.value.data<float>()[0], 0);
  }
}

TEST_F(NetworkTest, TakesItsWeightsFromAFile) {
  write_weights({{"conv.weight", {3, 2, 1, 1}}, {"conv.bias", {3}}}, 2.5f);
  const Network network = load(kConv, kFile);
  EXPECT_EQ(network.weights, "w.safetensors");
  for (graph::NodeId id : network.graph.order()) {
    const graph::Node& node = network.graph.node(id);
    if (node.kind == OpKind::kConstant) EXPECT_EQ(node.value.data<float>()[0], 2.5f);
  }
  NetworkOptions synthetic;
  synthetic.weights = "synthetic";
  EXPECT_EQ(load_network((folder_ / "net.json").string(), synthetic).weights, "synthetic:1");
}

TEST_F(NetworkTest, FindsParametersUnderAnotherPrefix) {
  write_weights({{"body.0.weight", {2, 2, 1, 1}}, {"body.0.num_batches_tracked", {1}}});
  const char* layers =
      R"({"name": "a", "op": "conv2d", "channels": 2, "kernel": 1, "bias": false, "params": "body.0"},
         {"name": "b", "op": "conv2d", "channels": 2, "kernel": 1, "bias": false, "params": "body.0"})";
  const Network network = load(layers, kFile);
  EXPECT_EQ(network.graph.order().size(), 4u) << "shared parameters are one constant";
}

TEST_F(NetworkTest, SaysWhatIsWrongWithItsWeights) {
  const std::string file = (folder_ / "w.safetensors").string();
  write_weights({{"conv.weight", {3, 2, 1, 1}}});
  EXPECT_EQ(error_of(kConv, kFile),
            "layer 'conv': " + file + ": array 'conv.bias' of shape [3] is missing");
  write_weights({{"conv.weight", {3, 2, 1, 2}}, {"conv.bias", {3}}});
  EXPECT_EQ(error_of(kConv, kFile), "layer 'conv': " + file +
                                        ": array 'conv.weight': is float32[3, 2, 1, 2], expected "
                                        "floating-point numbers of shape [3, 2, 1, 1]");
  write_weights({{"conv.weight", {3, 2, 1, 1}}, {"conv.bias", {3}}}, 1, "I32");
  EXPECT_NE(error_of(kConv, kFile).find("is int32[3, 2, 1, 1], expected floating-point"),
            std::string::npos);
  write_weights({{"conv.weight", {3, 2, 1, 1}}, {"conv.bias", {3}}, {"more", {1}}});
  EXPECT_EQ(error_of(kConv, kFile),
            file + ": array 'more' (float32[1]) belongs to no layer of the network");
  write_weights({{"conv.weight", {3, 2, 1, 1}}, {"conv.bias", {3}}}, NAN);
  EXPECT_NE(error_of(kConv, kFile).find("element 0 is nan"), std::string::npos);
  write_weights(
      {{"bn.weight", {2}}, {"bn.bias", {2}}, {"bn.running_mean", {2}}, {"bn.running_var", {2}}},
      -1);
  EXPECT_NE(error_of(R"({"name": "bn", "op": "batch_norm"})", kFile).find("variance"),
            std::string::npos);
  EXPECT_NE(error_of(kConv, R"({"file": "missing.npz"})").find("no such file"), std::string::npos);
  write_file(folder_ / "w.safetensors", std::string("x"));
  EXPECT_NE(error_of(kConv, kFile), "");
}

TEST_F(NetworkTest, SaysWhichLayerDoesNotFit) {
  EXPECT_EQ(error_of(R"({"name": "fc", "op": "dense", "channels": 5})"),
            "layer 'fc': dense: input 0 is float32[1, 2, 4, 4], expected rows [n, ic]");
  EXPECT_EQ(
      error_of(R"({"name": "a", "op": "relu", "inputs": ["b"]}, {"name": "b", "op": "relu"})"),
      "layer 'a': field 'inputs': 'b' is neither the input nor a previous layer");
  EXPECT_EQ(error_of(R"({"name": "a", "op": "relu"}, {"name": "a", "op": "relu"})"),
            "layer 'a': field 'name': duplicate name of a layer or the input");
  EXPECT_EQ(error_of(R"({"name": "data", "op": "relu"})"),
            "layer 'data': field 'name': duplicate name of a layer or the input");
  EXPECT_EQ(
      error_of(R"({"name": "a", "op": "relu"}, {"name": "b", "op": "relu", "inputs": ["data"]})"),
      "layer 'a' is neither used nor an output");
  EXPECT_EQ(error_of(std::string(kConv) + R"(, {"name": "conv.weight", "op": "relu"})"),
            "layer 'conv.weight' has the name of a parameter");
  EXPECT_NE(error_of(R"({"name": "a", "op": "relu", "inputs": ["a"]})"), "") << "a cycle";
  EXPECT_NE(error_of(R"({"name": "a", "op": "max_pool2d", "kernel": 9, "stride": 1})"), "");
  EXPECT_NE(error_of(R"({"name": "a", "op": "conv2d", "channels": 3, "kernel": 1, "groups": 2})"),
            "");
  EXPECT_NE(error_of(R"({"name": "a", "op": "batch_norm", "epsilon": -1})"), "");
  EXPECT_NE(error_of(kConv, R"({"synthetic": {"seed": 1}})", "[1, 2]"), "");
}

TEST_F(NetworkTest, RefusesAbsurdSizesBeforeItAllocates) {
  constexpr const char* kSynthetic = R"({"synthetic": {"seed": 1}})";
  EXPECT_NE(error_of(kConv, kSynthetic, "[1, 1048576, 1048576, 1]"), "");
  EXPECT_NE(error_of(kConv, kSynthetic, "[1, 1024, 1024, 1024]"), "");
  EXPECT_NE(
      error_of(R"({"name": "a", "op": "dense", "channels": 1048576})", kSynthetic, "[1, 1000000]"),
      "");
  EXPECT_NE(
      error_of(R"({"name": "a", "op": "dense", "channels": 1048576})", kSynthetic, "[1, 2000]"),
      "");
  EXPECT_NE(
      error_of(
          R"({"name": "a", "op": "pad", "before": [0, 0, 2000000000, 0], "after": [0, 0, 0, 0]})"),
      "");
  EXPECT_NE(error_of(R"({"name": "a", "op": "conv2d", "channels": 1024, "kernel": 31, "pad": 15})",
                     kSynthetic, "[1, 128, 512, 512]"),
            "")
      << "too many multiply-accumulates";
  EXPECT_EQ(error_of(R"({"name": "a", "op": "avg_pool2d", "kernel": 4096, "stride": 1})",
                     kSynthetic, "[1, 1, 8192, 8192]"),
            "layer 'a': more than 2199023255552 operations up to this layer");
}

// A quantized file can be written and read whatever bytes its name contains.
TEST_F(NetworkTest, ShowsTheNameOfItsWeightsAsPlainText) {
  write_weights({{"conv.weight", {3, 2, 1, 1}}, {"conv.bias", {3}}});
  load(kConv);
  for (const auto& [name, shown] : {std::pair("w\xff.safetensors", "w\ufffd.safetensors"),
                                    std::pair("w\x01.safetensors", "w?.safetensors"),
                                    std::pair("\u00fc.safetensors", "\u00fc.safetensors")}) {
    fs::copy_file(folder_ / "w.safetensors", folder_ / name);
    NetworkOptions options;
    options.weights = (folder_ / name).string();
    const Network network = load_network((folder_ / "net.json").string(), options);
    EXPECT_EQ(network.weights, (folder_ / shown).string());
    EXPECT_EQ(parse_quantized_file(to_quantized_file(network)).weights, network.weights);
  }
}

TEST_F(NetworkTest, TakesAQuantizedNetworkOfFloat32InputsAndNoOptions) {
  Network network = load(kConv);
  write_file(folder_ / "net.vtaq", to_quantized_file(network));
  const auto error = [&](const NetworkOptions& options) -> std::string {
    try {
      load_network((folder_ / "net.vtaq").string(), options);
    } catch (const Error& error) {
      return std::string(error.what()).substr((folder_ / "net.vtaq: ").string().size());
    }
    return "no error";
  };
  EXPECT_EQ(error({}), "no error");
  EXPECT_EQ(error({"", 1}), "a quantized network contains its weights");
  EXPECT_EQ(error({"", {}, {{8, 9}}}),
            "input size 8 x 9: the input size of a quantized network is fixed");
  network.graph = graph::Graph();
  network.graph.name = "net";
  const graph::NodeId x = network.graph.add_input("x", {DType::kInt8, {1, 4}});
  network.graph.set_outputs({network.graph.add(OpKind::kDequantize, "y", {x})});
  write_file(folder_ / "net.vtaq", to_quantized_file(network));
  EXPECT_EQ(error({}), "input %x is int8[1, 4], expected float32 elements");
}

TEST_F(NetworkTest, AQuantizedFileKeepsTheNamesOfOutputs) {
  Network network = load(kConv);
  EXPECT_TRUE(parse_quantized_file(to_quantized_file(network)).output_names.empty());
  network.output_names = {"scores"};
  EXPECT_EQ(parse_quantized_file(to_quantized_file(network)).output_names, network.output_names);
  network.output_names = {"scores", "boxes"};
  const std::string error = error_in([&] { parse_quantized_file(to_quantized_file(network)); });
  EXPECT_TRUE(error.starts_with("network: field 'output_names': expected 1 name, one for each"))
      << error;
}

TEST_F(NetworkTest, TwoOutputsOfAQuantizedFileWithOneNameAreRefused) {
  Network network = load(kConv);
  const graph::NodeId output = network.graph.outputs().at(0);
  network.graph.set_outputs({output, network.graph.add(OpKind::kRelu, "relu", {output})});
  network.output_names = {"scores", "scores"};
  EXPECT_EQ(error_in([&] { parse_quantized_file(to_quantized_file(network)); }),
            "network: field 'output_names': two outputs have the name 'scores'");
  network.graph.set_outputs({output, output});  // as an ONNX model may
  EXPECT_EQ(parse_quantized_file(to_quantized_file(network)).output_names, network.output_names);
}

TEST_F(NetworkTest, IsNotAFolderWithItsName) {
  const fs::path before = fs::current_path();
  fs::create_directory(folder_ / "digits");
  fs::current_path(folder_);
  EXPECT_NO_THROW(load_network("digits"));
  fs::current_path(before);
}

TEST_F(NetworkTest, NamesAFileThatIsMissingOrNotANetwork) {
  const auto code_of = [](const std::string& name) {
    try {
      load_network(name);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kDevice;
  };
  EXPECT_EQ(code_of("no_such_network"), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(folder_.string()), ErrorCode::kInvalidArgument);
  write_file(folder_ / "bytes.json", std::string("\x89PNG\r\n\x1a\n\0\0", 10));
  EXPECT_EQ(code_of((folder_ / "bytes.json").string()), ErrorCode::kCorrupt);
  fs::resize_file(folder_ / "bytes.json", uint64_t{8} << 20);
  EXPECT_EQ(code_of((folder_ / "bytes.json").string()), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace vta::import
