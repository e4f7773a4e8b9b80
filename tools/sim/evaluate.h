// SPDX-License-Identifier: Apache-2.0
//
// The accuracy of a network: in int8 on the core, and in fp32 on the host.
#ifndef VTA_TOOLS_SIM_EVALUATE_H_
#define VTA_TOOLS_SIM_EVALUATE_H_

#include <memory>
#include <vector>

#include "base/command_line/progress.h"
#include "runtime/dataset/dataset.h"
#include "tools/sim/batched_inference.h"
#include "tools/sim/program_source.h"
#include "tools/sim/run_report.h"

namespace vta::sim {

// Classifies every image of the data set, in batches of the program's size, on one thread per
// device. `outputs`, if not null, gets those of each image. Fills in the report's accuracy, the
// counters and layers of the last inference, and the total seconds. The accuracy does not depend on
// the number of devices. `loaded.network` is the float network that the program was compiled from.
// Errors: kInvalidArgument if the data set is empty, has no labels or labels beyond the network's
// classes. If several images fail, the error of the first one is thrown.
void evaluate(const LoadedProgram& loaded, const Dataset& dataset,
              const std::vector<std::unique_ptr<driver::Device>>& devices, Progress& progress,
              RunReport& report, std::vector<ImageOutputs>* outputs = nullptr);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_EVALUATE_H_
