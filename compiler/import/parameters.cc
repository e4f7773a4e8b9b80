// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/parameters.h"

#include <cmath>

#include "runtime/base/random.h"

namespace vta::import {
namespace {

constexpr double kBiasDeviation = 0.05;
// Wide enough that channels differ behind a global average pool.
constexpr double kBetaDeviation = 0.25;

// FNV-1a: names to numbers.
uint64_t hash_of(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
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

}  // namespace

ParameterFile::ParameterFile(const std::filesystem::path& path)
    : path_(path), arrays_(read_arrays(path)) {}

Tensor ParameterFile::read(const Parameter& parameter) {
  const std::string expectation = fmt::format("[{}]", fmt::join(parameter.shape, ", "));
  const auto found = arrays_.find(parameter.name);
  if (found == arrays_.end()) {
    fail(ErrorCode::kInvalidArgument, "{}: no array '{}', expected one of shape {}", path_.string(),
         parameter.name, expectation);
  }
  used_.insert(parameter.name);
  return with_context(fmt::format("{}: array '{}'", path_.string(), parameter.name), [&] {
    const NamedArray& array = found->second;
    if (!array.is_floating() || array.shape != parameter.shape) {
      fail(ErrorCode::kInvalidArgument, "is {}, expected floating-point numbers of shape {}",
           array.type_text(), expectation);
    }
    const std::vector<float> values = array.to_floats();
    check_values(parameter, values);
    return Tensor(parameter.shape, values);
  });
}

void ParameterFile::refuse_unused() const {
  for (const auto& [name, array] : arrays_) {
    if (used_.count(name) != 0 || name.ends_with(".num_batches_tracked")) continue;
    fail(ErrorCode::kInvalidArgument, "{}: array '{}' ({}) belongs to no layer of the network",
         path_.string(), name.substr(0, 80), array.type_text());
  }
}

Tensor synthetic_parameter(const Parameter& parameter, uint64_t seed) {
  Tensor tensor({DType::kFloat32, parameter.shape});
  const std::span<float> values = tensor.mutable_data<float>();
  Random random(hash_of(parameter.name) ^ Random(seed).next());
  const auto fill_normal = [&](double deviation) {
    for (float& value : values) value = static_cast<float>(random.normal() * deviation);
  };
  switch (parameter.role) {
    case Parameter::Role::kWeight: {
      const auto fan_in = static_cast<double>(tensor.num_elems() / parameter.shape[0]);
      fill_normal(std::sqrt(2 / fan_in));
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
