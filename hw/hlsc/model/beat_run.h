// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_BEAT_RUN_H_
#define VTA_HW_HLSC_MODEL_BEAT_RUN_H_

#include <string>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// Of a nest whose iterations do nothing but take a beat of a burst: statements in front of an
// iteration that take all beats at once that are there, one a cycle, and go on with the loop. ""
// for other nests.
std::string beat_run(const NestBody& body);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_BEAT_RUN_H_
