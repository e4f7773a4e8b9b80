// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_BEAT_RUN_H_
#define VTA_HW_HLSC_MODEL_BEAT_RUN_H_

#include <string>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// For a nest whose iterations only take a beat of a burst each: statements before an iteration that
// take all available beats at once, one a cycle, and continue the loop. "" for other nests.
std::string beat_run(const NestBody& body);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_BEAT_RUN_H_
