// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/network_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "tests/support/error_in.h"

namespace vta::import {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNetwork = R"({
  "format": 1,
  "name": "tiny",
  "input": {
    "name": "data",
    "shape": [1, 3, 8, 8],
    "image": {"resize_short_side": 9, "channels": "rgb", "scale": 0.5, "mean": [1, 2, 3], "stddev": [4, 5, 6]},
    "sample": "sample.png"
  },
  "weights": {"synthetic": {"seed": 7}},
  "labels": "labels.txt",
  "calibration": "calibration.npz",
  "quantize": "max",
  "layers": [
    {"name": "conv", "op": "conv2d", "channels": 4, "kernel": [3, 1], "stride": 2, "pad": [1, 0], "bias": false},
    {"name": "norm", "op": "batch_norm", "epsilon": 0.001, "params": "bn"},
    {"name": "relu", "op": "relu"},
    {"name": "pool", "op": "max_pool2d", "kernel": 1, "stride": 1, "pad": [0, 0, 0, 0]},
    {"name": "sum", "op": "add", "inputs": ["pool", "relu"]},
    {"name": "avg", "op": "global_avg_pool2d"},
    {"name": "flat", "op": "flatten"},
    {"name": "fc", "op": "dense", "channels": 10}
  ]
})";

std::string error_of(const std::string& text) {
  try {
    parse_network(text);
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_LT(message.size(), 600u) << message;
    return message;
  }
  return "";
}

// The network with the value at `pointer` replaced by that of `value` (or removed, if it is "").
std::string error_with(const std::string& pointer, const std::string& value) {
  Json network = Json::parse(kNetwork);
  const Json::json_pointer at(pointer);
  if (value.empty()) {
    network.at(at.parent_pointer()).erase(at.back());
  } else {
    network[at] = Json::parse(value);
  }
  return error_of(network.dump());
}

TEST(NetworkFile, IsReadFieldByField) {
  const NetworkDescription network = parse_network(kNetwork);
  EXPECT_EQ(network.name, "tiny");
  EXPECT_EQ(network.input_name, "data");
  EXPECT_EQ(network.input_shape, (std::vector<int64_t>{1, 3, 8, 8}));
  EXPECT_EQ(network.image->resize_short_side, 9);
  EXPECT_EQ(network.image->stddev, (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(network.sample, "sample.png");
  EXPECT_EQ(network.seed, 7u);
  EXPECT_EQ(network.weights_file, "");
  EXPECT_EQ(network.quantize, "max");
  ASSERT_EQ(network.layers.size(), 8u);
  const LayerDescription& conv = network.layers[0];
  EXPECT_EQ(conv.kind, OpKind::kConv2d);
  EXPECT_EQ(conv.inputs, std::vector<std::string>{"data"});
  EXPECT_EQ(to_string(conv.kind, conv.attrs),
            "{kernel = [3, 1], stride = [2, 2], pad = [1, 0, 1, 0]}");
  EXPECT_EQ(conv.channels, 4);
  EXPECT_FALSE(conv.bias);
  EXPECT_EQ(conv.params, "conv");
  EXPECT_EQ(network.layers[1].params, "bn");
  EXPECT_EQ(network.layers[1].inputs, std::vector<std::string>{"conv"});
  EXPECT_EQ(network.layers[4].inputs, (std::vector<std::string>{"pool", "relu"}));
  EXPECT_TRUE(network.layers[7].bias);
}

TEST(NetworkFile, NamesLayerFieldValueAndExpectation) {
  EXPECT_EQ(
      error_with("/layers/0/stride", "true"),
      "layer 0 \"conv\": field 'stride': expected an integer or a list of 2 integers, got true");
  EXPECT_EQ(error_with("/layers/0/channels", "0"),
            "layer 0 \"conv\": field 'channels': expected an integer from 1 to 1048576, got 0");
  EXPECT_EQ(error_with("/layers/2/kernel", "3"),
            "layer 2 \"relu\": unknown field \"kernel\"; expected one of inputs, name, op");
  EXPECT_EQ(error_with("/layers/0/channels", ""), "layer 0 \"conv\": field 'channels' is missing");
  EXPECT_EQ(error_with("/layers/4/inputs", "[\"pool\"]"),
            "layer 4 \"sum\": field 'inputs': expected 2 (operator add), got 1");
  EXPECT_EQ(error_with("/quantize", "\"min\""),
            "field 'quantize': expected \"global\", \"max\", \"mse\" or \"kl\", got \"min\"");
  EXPECT_EQ(error_with("/weights", "{}"), "weights: expected either 'file' or 'synthetic', got {}");
  EXPECT_EQ(error_with("/input/shape", "[2, 3, 8, 8]"),
            "input: field 'shape': expected [1, c, h, w] or [1, c] with 1 to 1048576 each, got "
            "[2,3,8,8]");
}

TEST(NetworkFile, RefusesAnUnknownOperator) {
  const Error error = expect_error([&] {
    parse_network(
        Json::parse(kNetwork)
            .patch(Json::parse(R"([{"op": "replace", "path": "/layers/2/op", "value": "einsum"}])"))
            .dump());
  });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_TRUE(std::string(error.what())
                  .starts_with("layer 2 \"relu\": field 'op': unknown operator \"einsum\""));
}

// Every field with every kind of wrong value, and missing.
TEST(NetworkFile, ChecksTheTypeOfEveryField) {
  const Json flat = Json::parse(kNetwork).flatten();
  std::set<std::string> pointers;
  for (const auto& [pointer, value] : flat.items()) {
    // The field itself and the objects and lists that contain it.
    for (Json::json_pointer at(pointer); !at.empty(); at.pop_back())
      pointers.insert(at.to_string());
  }
  int refused = 0;
  for (const std::string& pointer : pointers) {
    for (const char* value : {"null", "{}", "[[]]", "\"\\u0000\"", "-1e300", "{\"a\": [1]}"}) {
      EXPECT_NE(error_with(pointer, value), "") << pointer << " = " << value;
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(NetworkFile, RefusesAMissingField) {
  for (const char* pointer : {"/format",
                              "/name",
                              "/input",
                              "/weights",
                              "/quantize",
                              "/layers",
                              "/input/name",
                              "/input/shape",
                              "/input/image",
                              "/input/image/channels",
                              "/input/image/scale",
                              "/input/image/mean",
                              "/input/image/stddev",
                              "/weights/synthetic/seed",
                              "/layers/0/name",
                              "/layers/0/op",
                              "/layers/0/channels",
                              "/layers/0/kernel",
                              "/layers/3/kernel",
                              "/layers/3/stride",
                              "/layers/4/inputs",
                              "/layers/7/channels"}) {
    EXPECT_NE(error_with(pointer, ""), "") << pointer;
  }
}

TEST(NetworkFile, RefusesValuesOutOfRange) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"/format", "2"},
      {"/name", "\"a b\""},
      {"/name", "\"\""},
      {"/input/shape", "[1, 3, 8]"},
      {"/input/shape", "[1, 3, 8, 0]"},
      {"/input/shape", "[1, 3, 8, 4294967296]"},
      {"/input/shape", "[1, 4, 8, 8]"},
      {"/input/shape", "[1, 3]"},
      {"/input/image/channels", "\"yuv\""},
      {"/input/image/channels", "\"gray\""},
      {"/input/image/mean", "[1, 2]"},
      {"/input/image/stddev", "[1, 2, 0]"},
      {"/input/image/stddev", "[1, 2, -3]"},
      {"/input/image/resize_short_side", "7"},
      {"/input/image/resize_short_side", "1e9"},
      {"/input/image/resize", "[9, 7]"},
      {"/input/image/resize", "[9, 9]"},  // excludes resize_short_side
      {"/input/image/letterbox", "256"},
      {"/input/image/filter", "\"lanczos\""},
      {"/weights/synthetic/seed", "-1"},
      {"/weights/synthetic/seed", "1.5"},
      {"/weights/synthetic/sed", "1"},
      {"/weights/file", "\"w.npz\""},
      {"/more", "1"},
      {"/input/more", "1"},
      {"/input/image/more", "1"},
      {"/layers", "[]"},
      {"/layers", "{}"},
      {"/layers/0/kernel", "[1, 2, 3]"},
      {"/layers/0/kernel", "[1.5, 2]"},
      {"/layers/0/kernel", "18446744073709551615"},
      {"/layers/0/pad", "[1, 2, 3]"},
      {"/layers/0/pad", "[]"},
      {"/layers/0/bias", "1"},
      {"/layers/0/name", "\"\""},
      {"/layers/0/op", "\"constant\""},
      {"/layers/0/op", "\"qconv2d\""},
      {"/layers/0/groups", "0"},
      {"/layers/0/params", "\"\""},
      {"/layers/2/params", "\"p\""},
      {"/layers/2/inputs", "[\"conv\", \"norm\"]"},
      {"/layers/2/inputs", "[]"},
      {"/layers/2/inputs", "\"conv\""},
      {"/layers/2/inputs", "[1]"},
  };
  for (const auto& [pointer, value] : kWrong) {
    EXPECT_NE(error_with(pointer, value), "") << pointer << " = " << value;
  }
}

TEST(NetworkFile, RefusesTooManyLayers) {
  Json network = Json::parse(kNetwork);
  for (int i = 0; i < 5000; ++i) network["layers"].push_back(network["layers"][2]);
  EXPECT_EQ(error_of(network.dump()),
            "field 'layers': expected a list of 1 to 4096 layers, got a list of 5008 entries");
}

TEST(NetworkFile, SurvivesDamage) {
  const std::string text = kNetwork;
  for (size_t size = 0; size < text.size(); ++size) EXPECT_NE(error_of(text.substr(0, size)), "");
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = text;
    const size_t at = random.next() % text.size();
    switch (random.between(0, 3)) {
      case 0:
        damaged[at] = static_cast<char>(random.next());
        break;
      case 1:
        damaged.erase(at, random.next() % 8);
        break;
      case 2:
        damaged.insert(at, text.substr(random.next() % text.size(), 12));
        break;
      default:
        damaged.insert(at, std::string(1 + random.next() % 40, "[{9-\""[random.next() % 5]));
    }
    error_of(damaged);
  }
}

}  // namespace
}  // namespace vta::import
