// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/parameter_names.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

namespace vta::import {
namespace {

constexpr std::string_view kWrappers[] = {"module.", "model.", "_orig_mod.", "state_dict."};
constexpr std::string_view kAuxiliary[] = {"AuxLogits.", "aux1.", "aux2.", "aux_classifier."};

// A regular expression for the whole name without wrappers, and the name it is translated to.
struct Renaming {
  const char* from;
  const char* to;
};

// Per family of networks. ResNet, SqueezeNet and Inception have the same names in all libraries.
constexpr Renaming kRenamings[] = {
    // VGG in timm, whose dense layers are convolutions
    {R"(pre_logits\.fc1\.(.+))", "classifier.0.$1"},
    {R"(pre_logits\.fc2\.(.+))", "classifier.3.$1"},
    {R"(head\.fc\.(.+))", "classifier.6.$1"},
    // DenseNet in the first weights of torchvision
    {R"((features\.denseblock\d+\.denselayer\d+\.(?:norm|conv))\.([12]\..+))", "$1$2"},
    // MobileNet v2 in timm; its blocks: see below
    {R"(conv_stem\.(.+))", "features.0.0.$1"},
    {R"(bn1\.(.+))", "features.0.1.$1"},
    {R"(conv_head\.(.+))", "features.18.0.$1"},
    {R"(bn2\.(.+))", "features.18.1.$1"},
    {R"(classifier\.(weight|bias))", "classifier.1.$1"},
    // YOLO in PyTorch ports of Darknet
    {R"(module_list\.\d+\.((?:conv|batch_norm)_\d+\..+))", "$1"},
};

// For each stage in timm: the module of its first block in torchvision's mobilenet_v2.
constexpr std::array<int, 7> kMobileNetV2Stages = {1, 2, 4, 7, 11, 14, 17};

// The first block has no expansion layer.
constexpr Renaming kMobileNetV2FirstBlock[] = {
    {"conv_dw", "0.0"}, {"bn1", "0.1"}, {"conv_pw", "1"}, {"bn2", "2"}};
constexpr Renaming kMobileNetV2Blocks[] = {{"conv_pw", "0.0"}, {"bn1", "0.1"},
                                           {"conv_dw", "1.0"}, {"bn2", "1.1"},
                                           {"conv_pwl", "2"},  {"bn3", "3"}};

void rename(const std::string& name, std::vector<std::string>& names) {
  static const std::vector<std::regex> patterns = [] {
    std::vector<std::regex> compiled;
    for (const Renaming& renaming : kRenamings) compiled.emplace_back(renaming.from);
    return compiled;
  }();
  for (size_t i = 0; i < patterns.size(); ++i) {
    if (!std::regex_match(name, patterns[i])) continue;
    names.push_back(std::regex_replace(name, patterns[i], kRenamings[i].to));
  }
}

void rename_mobilenet_v2_block(const std::string& name, std::vector<std::string>& names) {
  static const std::regex block(R"(blocks\.([0-6])\.([0-3])\.(\w+)\.(\w+))");
  std::smatch parts;
  if (!std::regex_match(name, parts, block)) return;
  const int stage = std::stoi(parts[1]), index = std::stoi(parts[2]);
  const auto add = [&](const auto& table) {
    for (const Renaming& layer : table) {
      if (parts[3] != layer.from) continue;
      names.push_back("features." + std::to_string(kMobileNetV2Stages[stage] + index) + ".conv." +
                      layer.to + "." + parts[4].str());
    }
  };
  if (stage == 0) {
    add(kMobileNetV2FirstBlock);
  } else {
    add(kMobileNetV2Blocks);
  }
}

std::string without_wrappers(std::string name) {
  bool found = true;
  while (found) {
    found = false;
    for (const std::string_view wrapper : kWrappers) {
      if (!name.starts_with(wrapper)) continue;
      name.erase(0, wrapper.size());
      found = true;
    }
  }
  return name;
}

}  // namespace

std::vector<std::string> other_parameter_names(const std::string& array_name) {
  constexpr size_t kMaxChars = 256;  // longer than any parameter's name
  if (array_name.size() > kMaxChars) return {};
  const std::string name = without_wrappers(array_name);
  std::vector<std::string> names;
  if (name != array_name) names.push_back(name);
  rename(name, names);
  rename_mobilenet_v2_block(name, names);
  return names;
}

bool is_ignored_array(const std::string& array_name) {
  const std::string name = without_wrappers(array_name);
  return name.ends_with(".num_batches_tracked") ||
         std::ranges::any_of(kAuxiliary,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace vta::import
