// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/batch_axis.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

namespace vta::onnx {
namespace {

// The words of a name in lower case, without numbers: "batch_size_1" has "batch" and "size".
// Expressions ("2*batch") have none.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) != 0) {
      words.back() += static_cast<char>(std::tolower(byte));
    } else if (std::isdigit(byte) != 0 ||
               std::string_view("_ .:-/").find(c) != std::string_view::npos) {
      words.emplace_back();
    } else {
      return {};
    }
  }
  std::erase(words, "");
  return words;
}

}  // namespace

std::string axis_name(const ValueDef& input, size_t axis) {
  return axis < input.axis_names.size() ? input.axis_names[axis] : "";
}

bool is_batch_name(const std::string& name, size_t axis) {
  static const std::set<std::string> kAlone = {"n", "b", "bs", "bsz", "none", "?", "-1"};
  static const std::set<std::string> kBatch = {"batch", "batchsize", "batchdim", "nbatch"};
  static const std::set<std::string> kBeside = {"size", "dim", "dimension", "axis",    "n",
                                                "num",  "no",  "input",     "dynamic", "default"};
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (axis == 0 && kAlone.contains(lower)) return true;
  const std::vector<std::string> words = words_of(name);
  const auto is_batch = [](const std::string& word) { return kBatch.contains(word); };
  return std::ranges::any_of(words, is_batch) &&
         std::ranges::all_of(words, [&](const std::string& word) {
           return is_batch(word) || kBeside.contains(word);
         });
}

std::optional<size_t> batch_axis_by_name(const ValueDef& input) {
  for (size_t axis = 0; axis < input.dims.size(); ++axis) {
    if (!input.dims[axis] && is_batch_name(axis_name(input, axis), axis)) return axis;
  }
  const bool is_nameless = !input.dims.empty() && !input.dims[0] && axis_name(input, 0).empty();
  return is_nameless ? std::optional<size_t>(0) : std::nullopt;
}

}  // namespace vta::onnx
