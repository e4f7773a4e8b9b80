// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_SIMPLE_ITERATION_H_
#define VTA_HW_HLSC_MODEL_SIMPLE_ITERATION_H_

#include <optional>
#include <string>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// An iteration of a nest whose iterations wait in their first stage only, as a block of statements
// that leaves `go`, `issue` and `left` for the next one (nest_text.cc). With `quiet` it
// looks first whether the iteration is of the common kind, as long as the variable `quiet` is true.
std::string simple_iteration(const NestBody& body, const std::optional<QuietPath>& quiet);

// Likewise one that is known to be of the common kind, without its requests for ports; no block.
std::string unseen_iteration(const NestBody& body, const QuietPath& quiet);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_SIMPLE_ITERATION_H_
