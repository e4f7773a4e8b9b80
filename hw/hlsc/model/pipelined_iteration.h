// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_PIPELINED_ITERATION_H_
#define VTA_HW_HLSC_MODEL_PIPELINED_ITERATION_H_

#include <string>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// Iterations that may wait in any stage (sim/network/pipeline.h).
struct PipelinedIteration {
  std::string declaration;  // the pipeline, and the function that advances an iteration
  std::string iteration;    // issues one; leaves `go` and `issue`
};
PipelinedIteration pipelined_iteration(const NestBody& body);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_PIPELINED_ITERATION_H_
