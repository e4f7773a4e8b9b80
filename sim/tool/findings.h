// SPDX-License-Identifier: Apache-2.0
//
// What the outputs of a network say about one input: classes, boxes or a picture.
#ifndef VTA_SIM_TOOL_FINDINGS_H_
#define VTA_SIM_TOOL_FINDINGS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/host/image.h"
#include "runtime/program/program.h"
#include "sim/tool/batched_inference.h"
#include "sim/tool/report.h"

namespace vta::sim {

// How many classes the program's outputs tell apart.
int64_t num_labels(const Program& program);

// A report for each output; the first one's also has what they mean (Program::output_spec).
// `labels`: of the classes, or empty.
// Boxes are placed in the picture `input`; of an input that is no picture they are where the
// network has them. Errors: those of reading the picture.
std::vector<SampleReport> find(const Program& program, const std::filesystem::path& input,
                               const ImageOutputs& outputs, const std::vector<std::string>& labels);

// The picture that goes with the findings: the input with boxes, or what the network has drawn.
// Errors: kUnsupported for a network that classifies, and for boxes without a picture.
host::Image result_picture(const Program& program, const std::vector<SampleReport>& samples);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_FINDINGS_H_
