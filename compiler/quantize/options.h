// SPDX-License-Identifier: Apache-2.0
//
// Options of quantization.
#ifndef VTA_COMPILER_QUANTIZE_OPTIONS_H_
#define VTA_COMPILER_QUANTIZE_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vta::quantize {

enum class Method { kGlobal, kMax, kMse, kKl };
const char* to_string(Method method);                // "global", "max", "mse", "kl"
Method method_from_string(const std::string& text);  // Errors: kInvalidArgument
std::vector<std::string> method_names();

enum class WeightRounding { kNearest, kAdaptive };
// "nearest", "adaptive". Errors: kInvalidArgument.
WeightRounding rounding_from_string(const std::string& text);

// kAuto: free for trained weights with enough images, if the host gets no more steps between layers
// (QuantizeOptions::scales); else powers of two.
enum class ScaleKind { kAuto, kPowerOfTwo, kFree };
ScaleKind scales_from_string(const std::string& text);  // "auto", "power-of-two", "free". Likewise

struct Options {
  // Implicit: a method with its defaults.
  Options(Method m = Method::kMse) : method(m) {}  // NOLINT(google-explicit-constructor)

  Method method;
  // Unset options have the method's default: off and nearest; for kMse, kKl and free scales with at
  // least kInputsToRefine calibration inputs, per-channel scales and adaptive rounding.
  std::optional<bool> per_channel;  // per-channel scales of weights in layers whose result they
                                    // improve
  std::optional<bool> equalize;     // cross-layer equalization
  std::optional<WeightRounding> rounding;  // kAdaptive: minimizes the error of the layer's output
                                           // on the calibration inputs
  std::vector<std::string> keep_float;     // layers that stay float32, by name
  bool free_scales = false;  // free_quantize.h: the scales of kMax without its restriction to
                             // powers of two; excludes per_channel and equalize
};

inline constexpr size_t kInputsToRefine = 8;
inline constexpr int64_t kImagesToFree = 16;  // of ScaleKind::kAuto

// `options` with all defaults filled in. Errors: kInvalidArgument if kGlobal, a fixed recipe, is
// combined with another option.
Options resolved(const Options& options, size_t num_calibration_inputs);

// The method and the options that were set: "mse" or "mse, per tensor, nearest".
std::string to_string(const Options& options);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_OPTIONS_H_
