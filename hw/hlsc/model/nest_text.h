// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_NEST_TEXT_H_
#define VTA_HW_HLSC_MODEL_NEST_TEXT_H_

#include <string>
#include <vector>

#include "hw/hlsc/model/model_text.h"

namespace vta::hlsc::model {

// The nest of which `outermost` is the first loop, as statements that move `now` from the first
// cycle of the nest's state to that after its last one. `number`: of the nest in its process. Adds
// the values of its body for which it wants variables to `declared`.
std::string nest_text(ProcessText& text, const ir::Loop& outermost, size_t number,
                      std::set<ir::ValueId>& declared);

// Operations of one step, up to and without what they do: waits for streams, then for ports, move
// `now`; values are computed on the way. Waits show from `since` on. Where several operations wait,
// each happens at once.
std::string waiting_text(const ProcessText& text, const std::vector<ir::ValueId>& operations,
                         const std::string& since, bool several_waits);

// `phi = value` for all of them at once.
std::string assigned_phis(const ProcessText& text, const ir::Loop& loop, bool initial);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_NEST_TEXT_H_
