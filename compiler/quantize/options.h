// SPDX-License-Identifier: Apache-2.0
//
// What a user can choose about quantization.
#ifndef VTA_COMPILER_QUANTIZE_OPTIONS_H_
#define VTA_COMPILER_QUANTIZE_OPTIONS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace vta::quantize {

enum class Method { kGlobal, kMax, kMse, kKl };
const char* to_string(Method method);                // "global", "max", "mse", "kl"
Method method_from_string(const std::string& text);  // Errors: kInvalidArgument
std::vector<std::string> method_names();

enum class WeightRounding { kNearest, kAdaptive };
WeightRounding rounding_from_string(const std::string& text);  // "nearest", "adaptive"

struct Options {
  // Implicit: a method with its defaults.
  Options(Method m = Method::kMse) : method(m) {}  // NOLINT(google-explicit-constructor)

  Method method;
  // What is not said is the method's default: nothing; but for kMse and kKl, with kInputsToRefine
  // calibration inputs or more, per_channel and adaptive rounding.
  std::optional<bool> per_channel;  // a scale for each output channel of a layer's weights, where
                                    // that makes its result better
  std::optional<bool> equalize;     // move powers of two from channels of one layer to the next
  std::optional<WeightRounding> rounding;  // kAdaptive: weights and biases such that the layer's
                                           // result on the calibration inputs stays
  std::vector<std::string> keep_float;     // layers that stay float32, by name
};

inline constexpr size_t kInputsToRefine = 8;

// `options` with nothing unsaid. Errors: kInvalidArgument where kGlobal, which is a fixed recipe,
// is asked for one of the others.
Options resolved(const Options& options, size_t num_calibration_inputs);

// "mse" or "mse, per tensor, nearest": the method, and what was said beside it.
std::string to_string(const Options& options);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_OPTIONS_H_
