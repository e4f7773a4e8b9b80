// SPDX-License-Identifier: Apache-2.0
//
// What arrays of weights files are called by the libraries that people train with.
#ifndef VTA_COMPILER_IMPORT_PARAMETER_NAMES_H_
#define VTA_COMPILER_IMPORT_PARAMETER_NAMES_H_

#include <string>
#include <vector>

namespace vta::import {

// The shipped networks have the names of torchvision's state dicts (those that torchvision lacks,
// of timm's). These are the other names under which `array_name` may be one of their parameters:
// without the prefixes that wrappers put in front ("module.", "model.", "_orig_mod.",
// "state_dict."), and as the tables of parameter_names.cc translate it.
std::vector<std::string> other_parameter_names(const std::string& array_name);

// True for what a state dict may hold and inference does not need: "*.num_batches_tracked", and
// auxiliary classifiers ("AuxLogits.*", "aux1.*", "aux2.*", "aux_classifier.*").
bool is_ignored_array(const std::string& array_name);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_PARAMETER_NAMES_H_
