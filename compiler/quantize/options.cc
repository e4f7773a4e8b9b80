// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/errors/error.h"

namespace vta::quantize {
namespace {

constexpr std::pair<const char*, Method> kMethods[] = {
    {"global", Method::kGlobal}, {"max", Method::kMax}, {"mse", Method::kMse}, {"kl", Method::kKl}};

bool is_refined(Method method) { return method == Method::kMse || method == Method::kKl; }

}  // namespace

const char* to_string(Method method) { return kMethods[static_cast<size_t>(method)].first; }

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& [name, method] : kMethods) names.emplace_back(name);
  return names;
}

Method method_from_string(const std::string& text) {
  for (const auto& [name, method] : kMethods) {
    if (text == name) return method;
  }
  fail(ErrorCode::kInvalidArgument, "quantization '{}' is not one of {}", text,
       fmt::join(method_names(), ", "));
}

WeightRounding rounding_from_string(const std::string& text) {
  if (text == "nearest") return WeightRounding::kNearest;
  if (text == "adaptive") return WeightRounding::kAdaptive;
  fail(ErrorCode::kInvalidArgument, "rounding '{}' is not one of nearest, adaptive", text);
}

ScaleKind scales_from_string(const std::string& text) {
  if (text == "auto") return ScaleKind::kAuto;
  if (text == "power-of-two") return ScaleKind::kPowerOfTwo;
  if (text == "free") return ScaleKind::kFree;
  fail(ErrorCode::kInvalidArgument, "scales '{}' is not one of auto, power-of-two, free", text);
}

Options resolved(const Options& options, size_t num_calibration_inputs) {
  const bool refined = is_refined(options.method) || options.free_scales;
  Options result = options;
  const bool can_refine = refined && num_calibration_inputs >= kInputsToRefine;
  result.per_channel = options.per_channel.value_or(can_refine);
  result.equalize = options.equalize.value_or(false);
  result.rounding =
      options.rounding.value_or(can_refine ? WeightRounding::kAdaptive : WeightRounding::kNearest);
  if (options.method == Method::kGlobal &&
      (*result.per_channel || *result.equalize || *result.rounding != WeightRounding::kNearest)) {
    fail(ErrorCode::kInvalidArgument,
         "quantization 'global' excludes per-channel scales, equalization and adaptive rounding");
  }
  return result;
}

std::string to_string(const Options& options) {
  std::string text = options.free_scales ? "free" : to_string(options.method);
  if (options.per_channel) text += *options.per_channel ? ", per channel" : ", per tensor";
  if (options.equalize) text += *options.equalize ? ", equalized" : ", not equalized";
  if (options.rounding) {
    text += *options.rounding == WeightRounding::kNearest ? ", nearest rounding"
                                                          : ", adaptive rounding";
  }
  if (!options.keep_float.empty())
    text += fmt::format(", float {}", fmt::join(options.keep_float, " "));
  return text;
}

}  // namespace vta::quantize
