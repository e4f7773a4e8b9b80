// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a network's outputs for one input: classes, boxes or a generated image.
#ifndef VTA_TOOLS_SIM_FINDINGS_H_
#define VTA_TOOLS_SIM_FINDINGS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/host/image.h"
#include "runtime/program/program.h"
#include "tools/sim/batched_inference.h"
#include "tools/sim/run_report.h"

namespace vta::sim {

// Whether the first output holds a score for each class: its kind is classes (the default), and it
// is a vector per image.
bool has_classes(const Program& program);

// Replaces the meaning of the outputs by `kind`: "classes", "image" or "none", with its defaults.
// Errors: kInvalidArgument if the outputs cannot have it.
void set_postprocess(const std::string& kind, Program& program);

// Returns a report for each output; the first one also holds the findings (Program::output_spec).
// `labels`: class names, or empty.
// Boxes are in pixels of the image `input`; if `input` is not an image, in pixels of the network's
// input. Errors: any error of reading the image.
std::vector<SampleReport> find(const Program& program, const std::filesystem::path& input,
                               const ImageOutputs& outputs, const std::vector<std::string>& labels);

// Returns the input image with the detected boxes drawn into it, or the image that the network
// generates.
// Errors: kUnsupported for a network that classifies, and for boxes if the input is not an image.
host::Image draw_result(const Program& program, const std::vector<SampleReport>& samples);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_FINDINGS_H_
