// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_NEST_TEXT_H_
#define VTA_HW_HLSC_MODEL_NEST_TEXT_H_

#include <set>
#include <string>

#include "hw/hlsc/model/process_text.h"

namespace vta::hlsc::model {

// The nest with this outermost loop, as statements that move `now` from the first cycle of the
// nest's state to the cycle after its last one. `number`: index of the nest in its process. Values
// of the body that need variables are added to `declared`.
std::string nest_text(ProcessText& text, const ir::Loop& outermost, size_t number,
                      std::set<ir::ValueId>& declared);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_NEST_TEXT_H_
