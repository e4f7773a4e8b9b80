// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_PROCESS_BODY_H_
#define VTA_HW_HLSC_MODEL_PROCESS_BODY_H_

#include <string>

#include "hw/hlsc/model/model_text.h"

namespace vta::hlsc::model {

// The statements of a process: its states as the lines of a structured program, each of which moves
// `now` on by the cycles that it takes. Expects a Process& `process`. What it writes to
// `logged_registers` outside of nests goes to their logs too.
std::string process_body(const ModelInput& input, size_t process,
                         const std::map<ir::ObjectId, uint32_t>& late_registers,
                         const std::set<ir::ObjectId>& logged_registers);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_PROCESS_BODY_H_
