// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a network's layers, and where their values come from: a file, or a seed.
#ifndef VTA_COMPILER_IMPORT_PARAMETERS_H_
#define VTA_COMPILER_IMPORT_PARAMETERS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/base/array_file.h"
#include "runtime/tensor/tensor.h"

namespace vta::import {

// Named as PyTorch does: "<prefix>.weight", ".bias", ".running_mean", ".running_var".
struct Parameter {
  enum class Role { kWeight, kBias, kGamma, kBeta, kMean, kVariance };
  std::string name;
  Role role = Role::kWeight;
  std::vector<int64_t> shape;  // as runtime/tensor/ops.def has it
  int64_t fan_in = 0;          // of weights: products in a sum; 0: as many as weights for an output
};

// float32 values of a parameter.
using ParameterSource = std::function<Tensor(const Parameter&)>;

// The arrays of a file, each to be asked for.
class ParameterFile {
 public:
  // Errors: those of read_arrays().
  explicit ParameterFile(const std::filesystem::path& path);

  // The array of the parameter's name, or else the one that another library calls so
  // (parameter_names.h). The weights of a dense layer may have the shape of a convolution's, [oc,
  // ic, kh, kw], and those of a 1x1 convolution that of a dense layer's.
  // Errors: kInvalidArgument for a missing, mis-shaped or integer array, a value that is not
  // finite, a negative variance; each names file, array and expectation.
  Tensor read(const Parameter& parameter);

  // Errors: kInvalidArgument for an array that belongs to no layer, unless is_ignored_array().
  void refuse_unused() const;

 private:
  NamedArrays::const_iterator find(const Parameter& parameter) const;

  std::filesystem::path path_;
  NamedArrays arrays_;
  std::multimap<std::string, std::string> other_names_;  // to those of the file
  std::set<std::string> used_;
};

// He-scaled normals for weights (variance 2 / fan-in), small normals for biases and betas, 1 for
// gammas and variances, 0 for means: a function of the seed and the parameter's name alone, the
// same bits on every machine.
Tensor synthetic_parameter(const Parameter& parameter, uint64_t seed);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_PARAMETERS_H_
