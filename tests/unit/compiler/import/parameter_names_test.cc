// SPDX-License-Identifier: Apache-2.0
//
// The keys of torchvision's and timm's state dicts against the parameters of the shipped networks.
// The lists here follow the module definitions of the libraries, not our networks.
#include "compiler/import/parameter_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "compiler/import/network_file.h"

namespace vta::import {
namespace {

using Names = std::vector<std::string>;

// Keys of modules.
class Keys {
 public:
  Names list;

  void conv(const std::string& name) { list.push_back(name + ".weight"); }
  void biased(const std::string& name) {  // a convolution or a dense layer
    conv(name);
    list.push_back(name + ".bias");
  }
  void norm(const std::string& name) {
    for (const char* part :
         {"weight", "bias", "running_mean", "running_var", "num_batches_tracked"})
      list.push_back(name + "." + part);
  }
};

std::string text(const std::string& a, int number, const std::string& b = "") {
  return a + std::to_string(number) + b;
}

Names resnet(const std::vector<int>& blocks, int convolutions) {
  Keys keys;
  keys.conv("conv1");
  keys.norm("bn1");
  for (int stage = 1; stage <= 4; ++stage) {
    for (int i = 0; i < blocks[stage - 1]; ++i) {
      const std::string block = text("layer", stage, ".") + std::to_string(i);
      for (int c = 1; c <= convolutions; ++c) {
        keys.conv(text(block + ".conv", c));
        keys.norm(text(block + ".bn", c));
      }
      if (i == 0 && (stage > 1 || convolutions == 3)) {
        keys.conv(block + ".downsample.0");
        keys.norm(block + ".downsample.1");
      }
    }
  }
  keys.biased("fc");
  return keys.list;
}

Names timm_resnet_v2(const std::vector<int>& blocks, int convolutions) {
  Keys keys;
  keys.conv("stem.conv");
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < blocks[stage]; ++i) {
      const std::string block = text("stages.", stage, ".blocks.") + std::to_string(i);
      if (i == 0 && (stage > 0 || convolutions == 3)) keys.conv(block + ".downsample.conv");
      for (int c = 1; c <= convolutions; ++c) {
        keys.norm(text(block + ".norm", c));
        keys.conv(text(block + ".conv", c));
      }
    }
  }
  keys.norm("norm");
  keys.biased("head.fc");
  return keys.list;
}

Names vgg(const std::vector<int>& convolutions, const Names& dense) {
  Keys keys;
  for (int index : convolutions) keys.biased(text("features.", index));
  for (const std::string& name : dense) keys.biased(name);
  return keys.list;
}

const std::vector<int> kVgg11 = {0, 3, 6, 8, 11, 13, 16, 18};
const std::vector<int> kVgg16 = {0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28};
const Names kTorchvisionVgg = {"classifier.0", "classifier.3", "classifier.6"};
const Names kTimmVgg = {"pre_logits.fc1", "pre_logits.fc2", "head.fc"};

Names squeezenet(const std::vector<int>& fire_modules) {
  Keys keys;
  keys.biased("features.0");
  for (int index : fire_modules) {
    for (const char* layer : {".squeeze", ".expand1x1", ".expand3x3"})
      keys.biased(text("features.", index, layer));
  }
  keys.biased("classifier.1");
  return keys.list;
}

Names torchvision_mobilenet_v2() {
  Keys keys;
  keys.conv("features.0.0");
  keys.norm("features.0.1");
  for (int index = 1; index <= 17; ++index) {
    const std::string block = text("features.", index, ".conv.");
    const int pairs = index == 1 ? 1 : 2;  // of a convolution and its norm, in a module
    for (int i = 0; i < pairs; ++i) {
      keys.conv(text(block, i, ".0"));
      keys.norm(text(block, i, ".1"));
    }
    keys.conv(text(block, pairs));
    keys.norm(text(block, pairs + 1));
  }
  keys.conv("features.18.0");
  keys.norm("features.18.1");
  keys.biased("classifier.1");
  return keys.list;
}

Names timm_mobilenet(const std::vector<int>& blocks, bool is_v2) {
  Keys keys;
  keys.conv("conv_stem");
  keys.norm("bn1");
  for (size_t stage = 0; stage < blocks.size(); ++stage) {
    for (int i = 0; i < blocks[stage]; ++i) {
      const std::string block = text(text("blocks.", static_cast<int>(stage), "."), i, ".");
      const bool expands = is_v2 && stage > 0;
      const Names layers =
          expands ? Names{"conv_pw", "conv_dw", "conv_pwl"} : Names{"conv_dw", "conv_pw"};
      for (size_t c = 0; c < layers.size(); ++c) {
        keys.conv(block + layers[c]);
        keys.norm(text(block + "bn", static_cast<int>(c) + 1));
      }
    }
  }
  if (is_v2) {
    keys.conv("conv_head");
    keys.norm("bn2");
  }
  keys.biased("classifier");
  return keys.list;
}

// `dot`: "" today; "." in torchvision's first weights ("norm.1").
Names densenet121(const std::string& dot) {
  Keys keys;
  keys.conv("features.conv0");
  keys.norm("features.norm0");
  const std::vector<int> blocks = {6, 12, 24, 16};
  for (int b = 0; b < 4; ++b) {
    for (int i = 1; i <= blocks[b]; ++i) {
      const std::string layer = text(text("features.denseblock", b + 1, ".denselayer"), i, ".");
      for (const char* number : {"1", "2"}) {
        keys.norm(layer + "norm" + dot + number);
        keys.conv(layer + "conv" + dot + number);
      }
    }
    if (b == 3) break;
    keys.norm(text("features.transition", b + 1, ".norm"));
    keys.conv(text("features.transition", b + 1, ".conv"));
  }
  keys.norm("features.norm5");
  keys.biased("classifier");
  return keys.list;
}

Names inception_v3() {
  Names modules = {"Conv2d_1a_3x3", "Conv2d_2a_3x3",   "Conv2d_2b_3x3",  "Conv2d_3b_1x1",
                   "Conv2d_4a_3x3", "AuxLogits.conv0", "AuxLogits.conv1"};
  const auto mixed = [&](const Names& letters, const Names& branches) {
    for (const std::string& letter : letters) {
      for (const std::string& branch : branches)
        modules.push_back("Mixed_" + letter + "." + branch);
    }
  };
  mixed({"5b", "5c", "5d"}, {"branch1x1", "branch5x5_1", "branch5x5_2", "branch3x3dbl_1",
                             "branch3x3dbl_2", "branch3x3dbl_3", "branch_pool"});
  mixed({"6a"}, {"branch3x3", "branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3"});
  mixed({"6b", "6c", "6d", "6e"},
        {"branch1x1", "branch7x7_1", "branch7x7_2", "branch7x7_3", "branch7x7dbl_1",
         "branch7x7dbl_2", "branch7x7dbl_3", "branch7x7dbl_4", "branch7x7dbl_5", "branch_pool"});
  mixed({"7a"}, {"branch3x3_1", "branch3x3_2", "branch7x7x3_1", "branch7x7x3_2", "branch7x7x3_3",
                 "branch7x7x3_4"});
  mixed({"7b", "7c"}, {"branch1x1", "branch3x3_1", "branch3x3_2a", "branch3x3_2b", "branch3x3dbl_1",
                       "branch3x3dbl_2", "branch3x3dbl_3a", "branch3x3dbl_3b", "branch_pool"});
  Keys keys;
  for (const std::string& module : modules) {
    keys.conv(module + ".conv");
    keys.norm(module + ".bn");
  }
  keys.biased("AuxLogits.fc");
  keys.biased("fc");
  return keys.list;
}

Names prefixed(const std::string& prefix, Names names) {
  for (std::string& name : names) name.insert(0, prefix);
  return names;
}

std::set<std::string> parameters_of_network(const std::string& name) {
  const NetworkDescription network =
      parse_network(read_text_file(VTA_SOURCE_FOLDER "/configs/networks/" + name + ".json"));
  std::set<std::string> names;
  for (const LayerDescription& layer : network.layers) {
    if (layer.channels > 0) names.insert(layer.params + ".weight");
    if (layer.bias) names.insert(layer.params + ".bias");
    if (layer.kind != OpKind::kBatchNorm) continue;
    for (const char* part : {"weight", "bias", "running_mean", "running_var"})
      names.insert(layer.params + "." + part);
  }
  return names;
}

struct StateDict {
  std::string test_name, network;
  Names keys;
};

class StateDictKeys : public ::testing::TestWithParam<StateDict> {};

// Keys and parameters correspond one to one.
TEST_P(StateDictKeys, AreTheParameters) {
  const std::set<std::string> parameters = parameters_of_network(GetParam().network);
  std::map<std::string, std::string> key_of;
  for (const std::string& key : GetParam().keys) {
    if (is_ignored_array(key)) continue;
    Names names = parameters.count(key) != 0 ? Names{key} : other_parameter_names(key);
    std::erase_if(names, [&](const std::string& name) { return parameters.count(name) == 0; });
    ASSERT_EQ(names.size(), 1u) << key;
    EXPECT_TRUE(key_of.emplace(names[0], key).second) << key << " and " << key_of.at(names[0]);
  }
  for (const std::string& parameter : parameters)
    EXPECT_EQ(key_of.count(parameter), 1u) << parameter;
}

INSTANTIATE_TEST_SUITE_P(
    All, StateDictKeys,
    ::testing::Values(
        StateDict{"ResNet18", "resnet18", resnet({2, 2, 2, 2}, 2)},
        StateDict{"ResNet34", "resnet34", resnet({3, 4, 6, 3}, 2)},
        StateDict{"ResNet50", "resnet50", resnet({3, 4, 6, 3}, 3)},
        StateDict{"ResNet101", "resnet101", resnet({3, 4, 23, 3}, 3)},
        StateDict{"ResNet50Parallel", "resnet50", prefixed("module.", resnet({3, 4, 6, 3}, 3))},
        StateDict{"TimmResNetV2of18", "resnet18_v2", timm_resnet_v2({2, 2, 2, 2}, 2)},
        StateDict{"TimmResNetV2of50", "resnet50_v2", timm_resnet_v2({3, 4, 6, 3}, 3)},
        StateDict{"TimmResNetV2of101", "resnet101_v2", timm_resnet_v2({3, 4, 23, 3}, 3)},
        StateDict{"Vgg11", "vgg11", vgg(kVgg11, kTorchvisionVgg)},
        StateDict{"Vgg16", "vgg16", vgg(kVgg16, kTorchvisionVgg)},
        StateDict{"TimmVgg16", "vgg16", vgg(kVgg16, kTimmVgg)},
        StateDict{"SqueezeNet10", "squeezenet1.0", squeezenet({3, 4, 5, 7, 8, 9, 10, 12})},
        StateDict{"SqueezeNet11", "squeezenet1.1", squeezenet({3, 4, 6, 7, 9, 10, 11, 12})},
        StateDict{"MobileNetV2", "mobilenet_v2", torchvision_mobilenet_v2()},
        StateDict{"TimmMobileNetV2", "mobilenet_v2", timm_mobilenet({1, 2, 3, 4, 3, 3, 1}, true)},
        StateDict{"TimmMobileNetV2Compiled", "mobilenet_v2",
                  prefixed("_orig_mod.module.", timm_mobilenet({1, 2, 3, 4, 3, 3, 1}, true))},
        StateDict{"TimmMobileNetV1", "mobilenet", timm_mobilenet({1, 2, 2, 6, 2}, false)},
        StateDict{"DenseNet121", "densenet121", densenet121("")},
        StateDict{"FirstDenseNet121", "densenet121", densenet121(".")},
        StateDict{"InceptionV3", "inception_v3", inception_v3()}),
    [](const auto& test) { return test.param.test_name; });

}  // namespace
}  // namespace vta::import
