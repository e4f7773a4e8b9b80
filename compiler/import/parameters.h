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

#include "base/files/array_file.h"
#include "runtime/tensor/tensor.h"

namespace vta::import {

// A parameter, named as in PyTorch: "<prefix>.weight", ".bias", ".running_mean", ".running_var".
struct Parameter {
  enum class Role { kWeight, kBias, kGamma, kBeta, kMean, kVariance };
  std::string name;
  Role role = Role::kWeight;
  std::vector<int64_t> shape;  // as in runtime/tensor/ops.def
  int64_t fan_in = 0;          // of weights: products per sum; 0: the weights per output
};

// float32 values of a parameter.
using ParameterSource = std::function<Tensor(const Parameter&)>;

// Parameters from a file of arrays.
class ParameterFile {
 public:
  // Reads the headers; read() reads an array. Errors: as ArrayFile.
  explicit ParameterFile(const std::filesystem::path& path);

  // The array with the parameter's name, or with its name in another library (parameter_names.h).
  // Weights of a dense layer may have the shape of a convolution, [oc, ic, kh, kw], and weights of
  // a 1x1 convolution the shape of a dense layer.
  // Errors: kInvalidArgument for a missing, mis-shaped or integer array, a value that is not
  // finite, a negative variance; each names file, array and expectation.
  Tensor read(const Parameter& parameter);

  // Errors: kInvalidArgument for an array that belongs to no layer, unless is_ignored_array().
  void refuse_unused() const;

 private:
  NamedArrays::const_iterator find(const Parameter& parameter) const;

  std::filesystem::path path_;
  ArrayFile arrays_;
  std::multimap<std::string, std::string> other_names_;  // translated name -> name in the file
  std::set<std::string> used_;
};

// Normals for weights (He: variance 2 / fan-in), small normals for biases and betas, 1 for gammas
// and variances, 0 for means. They depend only on the seed and the parameter's name; bit-exact on
// every machine.
Tensor synthetic_parameter(const Parameter& parameter, uint64_t seed);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_PARAMETERS_H_
