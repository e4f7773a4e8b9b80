// SPDX-License-Identifier: Apache-2.0
//
// The report of a run by vta-sim, and its two formats: JSON and text.
#ifndef VTA_TOOLS_SIM_RUN_REPORT_H_
#define VTA_TOOLS_SIM_RUN_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/device.h"
#include "runtime/host/detection.h"
#include "runtime/program/host_work.h"
#include "runtime/program/macs.h"
#include "runtime/program/program.h"
#include "runtime/session/session.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

struct RankedClass {
  int64_t index = 0;
  double score = 0;
  std::string label;  // "" if there are no labels
};

// Returns the `count` highest scores of one image, best first; ties go to the lower index.
std::vector<RankedClass> top_classes(const Tensor& scores, int64_t count,
                                     const std::vector<std::string>& labels);

// A detected box in the image.
struct FoundObject {
  host::Detection detection;
  std::string label;  // "" if there are no labels
};

// One output of one inference.
struct SampleReport {
  std::string input;  // the file
  std::string name;   // of the output
  Tensor output;
  std::vector<RankedClass> top;                     // in the first output, if it is classes
  std::optional<std::vector<FoundObject>> objects;  // in the first output, if the outputs are boxes
  bool is_first = true;                             // the first output of its input
};

// Results of `eval`, in percent.
struct Accuracy {
  int64_t images = 0;
  double top1 = 0, top5 = 0, fp32_top1 = 0, fp32_top5 = 0;
  double agreement = 0;  // images where the core and fp32 rank the same class first
  int64_t threads = 1;
  double seconds = 0;  // for all images, core and fp32
};

// Throughput of several inferences.
struct Throughput {
  size_t in_flight = 1;
  double images_per_second = 0;
  double mean_latency_seconds = 0, max_latency_seconds = 0;  // of an inference
};

struct RunReport {
  std::string network, device, core, mode, quantize, weights;
  int64_t batch = 1;                // images of an inference
  std::optional<double> clock_mhz;  // of the core; nullopt: unknown
  std::string calibration;          // the images used for calibration; "" if unknown
  MacSums macs;
  std::string placement;  // placement_text() of the program
  std::vector<HostWork> host_work;
  InferenceReport inference;  // counters and layers of the last inference
  uint64_t first_cycle = 0;   // of that inference, counted by the device (waveform.h)
  std::vector<SampleReport> samples;
  // Files whose background is light where the sample's is dark, or the reverse.
  std::vector<std::string> inverted_inputs;
  bool lists_outputs = false;  // in the text: outputs that are neither classes nor boxes
  // Seconds per inference, by sample: the mean of its inferences. Empty without --repeat and
  // --number.
  std::vector<double> repeat_seconds;
  std::optional<Throughput> throughput;  // if there was more than one inference
  std::optional<Accuracy> accuracy;
  double device_seconds = 0, host_seconds = 0;  // of all inferences
  double compile_seconds = 0, wall_seconds = 0;
};

RunReport begin_report(const Program& program, const std::string& device, double compile_seconds);

// The number of runs of the device.
uint64_t launches(const InferenceReport& inference);

// How many cycle numbers an inference took (waveform.h).
uint64_t numbered_cycles(const InferenceReport& inference);

// Records `inference` as the last one.
void add_inference(RunReport& report, const InferenceReport& inference);

bool has_synthetic_weights(const RunReport& report);

// Returns one JSON object; docs/vta_sim.md lists the keys.
std::string to_json(const RunReport& report);

// The report of `vta-sim exec`.
struct ExecReport {
  std::string device, core;
  hw::Counters counters;
  double device_seconds = 0, wall_seconds = 0;
  std::vector<double> repeat_seconds;  // by sample; empty without --repeat and --number
};

// Returns one JSON object with the same keys.
std::string to_json(const ExecReport& report);

// A run by `vta-sim exec` that failed.
struct ExecFault {
  std::string name;  // "scratchpad range", ... (hw/isa/faults.def)
  uint32_t instruction_index = 0;
  uint64_t value = 0;
};
struct ExecError {
  std::string device, core;
  std::string message;
  std::optional<ExecFault> fault;  // if the device reported one
};
std::string to_json(const ExecError& error);

// Returns "Core: 6,857,432 cycles an inference, 68.57 ms at 100 MHz"; of a batch also what an image
// takes. "" for a device that counts no cycles.
std::string core_time_text(const RunReport& report);

// Returns "Execution statistics:" and one line per counter.
std::string statistics_text(const hw::Counters& counters);

// Returns for each sample "<network> prediction for sample 0, FILE" and the ranks with their
// scores,
// "<network> objects in sample 0, FILE" and the boxes, or the names and types of the outputs.
std::string predictions_text(const RunReport& report);

// Returns "5 samples of 2 runs: mean 0.210100 s, standard deviation 0.001200 s" and the samples;
// for one sample only its time. A sample is the mean of `number` of `what`, a singular noun
// ("run").
std::string repetition_text(const std::vector<double>& seconds, uint64_t number,
                            const std::string& what);

// Returns "8.3 images per second, 2 inferences in flight; latency: mean 0.231 s, maximum 0.260 s".
std::string throughput_text(const Throughput& throughput);

std::string accuracy_text(const Accuracy& accuracy);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_RUN_REPORT_H_
