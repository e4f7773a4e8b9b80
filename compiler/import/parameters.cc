// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/parameters.h"

#include <cmath>
#include <utility>

#include "base/numbers/random.h"
#include "compiler/import/parameter_names.h"

namespace vta::import {
namespace {

constexpr double kBiasDeviation = 0.05;
// Large enough that channels still differ after a global average pool.
constexpr double kBetaDeviation = 0.25;

// FNV-1a hash of a name.
uint64_t hash_of(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

// Inlined, several numbers are computed at a time.
void fill_with_normals(uint64_t seed, double deviation, std::span<float> values) {
  Random random(seed);
  for (float& value : values) {
    [[clang::always_inline]] value = static_cast<float>(random.normal() * deviation);
  }
}

void check_values(const Parameter& parameter, const std::vector<float>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      fail(ErrorCode::kInvalidArgument, "element {} is {}, expected a finite number", i, values[i]);
    }
    if (parameter.role == Parameter::Role::kVariance && values[i] < 0) {
      fail(ErrorCode::kInvalidArgument, "element {} is {}, expected a variance of at least 0", i,
           values[i]);
    }
  }
}

// A dense layer equals a convolution whose kernel covers its input: [oc, ic * kh * kw] and [oc, ic,
// kh, kw] are interchangeable.
bool has_shape(const NamedArray& array, const Parameter& parameter) {
  const std::vector<int64_t>&is = array.shape, &wanted = parameter.shape;
  if (is == wanted) return true;
  const bool one_is_dense =
      (is.size() == 2 && wanted.size() == 4 && wanted[2] == 1 && wanted[3] == 1) ||
      (is.size() == 4 && wanted.size() == 2);
  if (parameter.role != Parameter::Role::kWeight || !one_is_dense || is[0] != wanted[0]) {
    return false;
  }
  return array.num_elems() == TensorType{DType::kFloat32, wanted}.num_elems();
}

}  // namespace

ParameterFile::ParameterFile(const std::filesystem::path& path) : path_(path), arrays_(path) {
  for (const auto& [name, array] : arrays_.headers()) {
    for (const std::string& other : other_parameter_names(name)) other_names_.emplace(other, name);
  }
}

NamedArrays::const_iterator ParameterFile::find(const Parameter& parameter) const {
  const auto found = arrays_.headers().find(parameter.name);
  if (found != arrays_.headers().end()) return found;
  std::vector<std::string> names;
  const auto [begin, end] = other_names_.equal_range(parameter.name);
  for (auto other = begin; other != end; ++other) names.push_back(other->second);
  if (names.empty()) {
    fail(ErrorCode::kInvalidArgument, "{}: array '{}' of shape [{}] is missing", path_.string(),
         parameter.name, fmt::join(parameter.shape, ", "));
  }
  if (names.size() > 1) {
    fail(ErrorCode::kInvalidArgument, "{}: ambiguous arrays for '{}': '{}' and '{}'",
         path_.string(), parameter.name, names[0], names[1]);
  }
  return arrays_.headers().find(names[0]);
}

Tensor ParameterFile::read(const Parameter& parameter) {
  const auto found = find(parameter);
  used_.insert(found->first);
  const std::string context = fmt::format("{}: array '{}'", path_.string(), found->first);
  const NamedArray& header = found->second;
  with_context(context, [&] {
    if (!header.is_floating() || !has_shape(header, parameter)) {
      fail(ErrorCode::kInvalidArgument, "is {}, expected floating-point numbers of shape [{}]",
           header.type_text(), fmt::join(parameter.shape, ", "));
    }
  });
  const std::vector<float> values = arrays_.read(found->first).to_floats();
  with_context(context, [&] { check_values(parameter, values); });
  return Tensor(parameter.shape, values);
}

void ParameterFile::refuse_unused() const {
  for (const auto& [name, array] : arrays_.headers()) {
    if (used_.count(name) != 0 || is_ignored_array(name)) continue;
    fail(ErrorCode::kInvalidArgument, "{}: array '{}' ({}) belongs to no layer of the network",
         path_.string(), name.substr(0, 80), array.type_text());
  }
}

Tensor synthetic_parameter(const Parameter& parameter, uint64_t seed) {
  Tensor tensor({DType::kFloat32, parameter.shape});
  const std::span<float> values = tensor.mutable_data<float>();
  const uint64_t start = hash_of(parameter.name) ^ Random(seed).next();
  const auto fill_normal = [&](double deviation) { fill_with_normals(start, deviation, values); };
  switch (parameter.role) {
    case Parameter::Role::kWeight: {
      const int64_t fan_in =
          parameter.fan_in > 0 ? parameter.fan_in : tensor.num_elems() / parameter.shape[0];
      fill_normal(std::sqrt(2 / static_cast<double>(fan_in)));
      break;
    }
    case Parameter::Role::kBias:
      fill_normal(kBiasDeviation);
      break;
    case Parameter::Role::kBeta:
      fill_normal(kBetaDeviation);
      break;
    case Parameter::Role::kGamma:
    case Parameter::Role::kVariance:
      std::fill(values.begin(), values.end(), 1.0f);
      break;
    case Parameter::Role::kMean:
      break;
  }
  return tensor;
}

}  // namespace vta::import
