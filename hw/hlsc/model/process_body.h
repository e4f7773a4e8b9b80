// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_PROCESS_BODY_H_
#define VTA_HW_HLSC_MODEL_PROCESS_BODY_H_

#include <string>

#include "hw/hlsc/model/process_text.h"

namespace vta::hlsc::model {

// The statements of a process: a structured program whose statements advance `now` by the cycles of
// the states. Expects a Process& `process`. Writes to `logged_registers` outside nests are logged
// too.
std::string process_body(const ModelInput& input, size_t process,
                         const std::map<ir::ObjectId, uint32_t>& late_registers,
                         const std::set<ir::ObjectId>& logged_registers);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_PROCESS_BODY_H_
