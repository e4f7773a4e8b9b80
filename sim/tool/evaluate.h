// SPDX-License-Identifier: Apache-2.0
//
// How often a network is right: on the core in int8, and on the host in fp32.
#ifndef VTA_SIM_TOOL_EVALUATE_H_
#define VTA_SIM_TOOL_EVALUATE_H_

#include "runtime/base/progress.h"
#include "sim/tool/dataset.h"
#include "sim/tool/program_source.h"
#include "sim/tool/report.h"

namespace vta::sim {

// Classifies every image of the data set, as many at once as the program's batch. Fills in the
// report's accuracy, the counters and layers of one inference, and the seconds of all.
// `loaded.network` is the float network that the program was compiled from.
// Errors: kInvalidArgument if the data set is empty, has no labels or labels beyond the network's
// classes.
void evaluate(const LoadedProgram& loaded, const Dataset& dataset, driver::Device& device,
              Progress& progress, RunReport& report);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_EVALUATE_H_
