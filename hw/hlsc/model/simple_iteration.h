// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_SIMPLE_ITERATION_H_
#define VTA_HW_HLSC_MODEL_SIMPLE_ITERATION_H_

#include <optional>
#include <string>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// An iteration of a nest whose iterations wait in their first stage only, as a block of statements
// that sets `go`, `issue` and `left` for the next one (nest_text.cc). With `path` the checks of the
// fast path come first, as long as the model's variable `quiet` is true.
std::string simple_iteration(const NestBody& body, const std::optional<FastPath>& path);

// Likewise an iteration known to take the fast path, without its port requests and not as a block.
std::string last_skipped_iteration(const NestBody& body, const FastPath& path);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_SIMPLE_ITERATION_H_
