// SPDX-License-Identifier: Apache-2.0
//
// How often a network is right: on the core in int8, and on the host in fp32.
#ifndef VTA_SIM_TOOL_EVALUATE_H_
#define VTA_SIM_TOOL_EVALUATE_H_

#include <memory>
#include <vector>

#include "runtime/base/progress.h"
#include "runtime/dataset/dataset.h"
#include "sim/tool/program_source.h"
#include "sim/tool/report.h"

namespace vta::sim {

// Classifies every image of the data set, as many at once as the program's batch, in as many
// threads as there are `devices`. Fills in the report's accuracy, the counters and layers of the
// last inference, and the seconds of all; what it finds does not depend on the number of devices.
// `loaded.network` is the float network that the program was compiled from.
// Errors: kInvalidArgument if the data set is empty, has no labels or labels beyond the network's
// classes; of the errors of several images that of the first one.
void evaluate(const LoadedProgram& loaded, const Dataset& dataset,
              const std::vector<std::unique_ptr<driver::Device>>& devices, Progress& progress,
              RunReport& report);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_EVALUATE_H_
