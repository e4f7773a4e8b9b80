// SPDX-License-Identifier: Apache-2.0
//
// The names of parameters in the weights files of training libraries.
#ifndef VTA_COMPILER_IMPORT_PARAMETER_NAMES_H_
#define VTA_COMPILER_IMPORT_PARAMETER_NAMES_H_

#include <string>
#include <vector>

namespace vta::import {

// The names of parameters that `array_name` may stand for in another library. Shipped networks use
// the names of torchvision's state dicts (or timm's, for networks that torchvision lacks). Prefixes
// of wrappers ("module.", "model.", "_orig_mod.", "state_dict.") are removed, and the tables in
// parameter_names.cc applied.
std::vector<std::string> other_parameter_names(const std::string& array_name);

// Arrays of a state dict that inference does not need: "*.num_batches_tracked" and auxiliary
// classifiers ("AuxLogits.*", "aux1.*", "aux2.*", "aux_classifier.*").
bool is_ignored_array(const std::string& array_name);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_PARAMETER_NAMES_H_
