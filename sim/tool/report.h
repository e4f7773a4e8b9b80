// SPDX-License-Identifier: Apache-2.0
//
// What vta-sim reports about a run, and its two forms: JSON for programs, text for people.
#ifndef VTA_SIM_TOOL_REPORT_H_
#define VTA_SIM_TOOL_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/device.h"
#include "runtime/host/detection.h"
#include "runtime/program/macs.h"
#include "runtime/program/program.h"
#include "runtime/session/session.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

struct RankedClass {
  int64_t index = 0;
  double score = 0;
  std::string label;  // "" where there are no names
};

// The `count` highest scores of one image, best first; of equal ones the lower index first.
std::vector<RankedClass> top_classes(const Tensor& scores, int64_t count,
                                     const std::vector<std::string>& labels);

// A box in the picture.
struct FoundObject {
  host::Detection detection;
  std::string label;  // "" where there are no names
};

// One output of one inference.
struct SampleReport {
  std::string input;  // the file
  std::string name;   // of the output
  Tensor output;
  std::vector<RankedClass> top;                     // of the first output, if it holds classes
  std::optional<std::vector<FoundObject>> objects;  // with the first output, if they hold boxes
  bool is_first = true;                             // of the outputs of its input
};

// Figures of `eval`, in percent.
struct Accuracy {
  int64_t images = 0;
  double top1 = 0, top5 = 0, fp32_top1 = 0, fp32_top5 = 0;
  double agreement = 0;  // how often the core and fp32 put the same class first
  int64_t threads = 1;
  double seconds = 0;  // of all images, core and fp32
};

struct RunReport {
  std::string network, device, core, mode, quantize, weights;
  std::string calibration;  // what scales were chosen on; "" if that is not known
  MacSums macs;
  InferenceReport inference;  // counters and layers of the last inference
  uint64_t first_cycle = 0;   // of that inference, among those of the device (waveform.h)
  std::vector<SampleReport> samples;
  // Of an inference, by sample: the mean of the inferences of one. Empty if the user asked for no
  // repetition.
  std::vector<double> repeat_seconds;
  std::optional<Accuracy> accuracy;
  double device_seconds = 0, host_seconds = 0;  // of all inferences
  double compile_seconds = 0, wall_seconds = 0;
};

RunReport begin_report(const Program& program, const std::string& device, double compile_seconds);

// Makes `inference` the last one.
void add_inference(RunReport& report, const InferenceReport& inference);

bool has_synthetic_weights(const RunReport& report);

double mean(const std::vector<double>& samples);
double standard_deviation(const std::vector<double>& samples);  // of the population

// One JSON object; the keys are those of README.md.
std::string to_json(const RunReport& report);

// Of `vta-sim exec`.
struct ExecReport {
  std::string device, core;
  driver::Counters counters;
  double device_seconds = 0, wall_seconds = 0;
  std::vector<double> repeat_seconds;  // by sample; empty if the user asked for no repetition
};

// One JSON object, with the same keys.
std::string to_json(const ExecReport& report);

// "Execution statistics:" and one line a counter.
std::string statistics_text(const driver::Counters& counters);

// For each sample "<network> prediction for sample 0" and the ranks, or "<network> objects in
// sample 0" and the boxes.
std::string predictions_text(const RunReport& report);

// "5 samples of 2 runs: mean 0.210100 s, standard deviation 0.001200 s" and the samples; of a
// single one its time alone. A sample is the mean of `number` of `what`, a noun ("run").
std::string repetition_text(const std::vector<double>& seconds, uint64_t number,
                            const std::string& what);

std::string accuracy_text(const Accuracy& accuracy);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_REPORT_H_
