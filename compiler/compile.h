// SPDX-License-Identifier: Apache-2.0
//
// compile(): the compiler's pipeline from a network to a program.
#ifndef VTA_COMPILER_COMPILE_H_
#define VTA_COMPILER_COMPILE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/import/network.h"
#include "compiler/lower/mode.h"
#include "compiler/lower/tiling_report.h"
#include "compiler/quantize/options.h"
#include "compiler/quantize/sensitivity.h"
#include "compiler/schedule_log.h"
#include "configs/core_config.h"
#include "runtime/program/program.h"
#include "runtime/tensor/place.h"

namespace vta {

// Options of quantization; unset: the method's default (compiler/quantize/options.h).
struct QuantizeOptions {
  // nullopt: kMse if CompileOptions::calibration is given, else the network's.
  std::optional<quantize::Method> method;
  std::optional<bool> per_channel, equalize;
  std::optional<quantize::WeightRounding> rounding;
  // nullopt: kAuto, scales of any value for trained weights with at least kImagesToFree images in
  // CompileOptions::calibration, if no other option excludes them and the host gets no more steps
  // between layers than with powers of two. A kind that does not compile gives way to the other.
  std::optional<quantize::ScaleKind> scales;
  // Layers that stay float32; "auto:DB": those that a signal-to-noise ratio of DB decibels needs on
  // the calibration inputs (quantize/float_layers.h)
  std::vector<std::string> keep_float;

  // Whether one differs from its default.
  bool any() const {
    return method || per_channel || equalize || rounding || !keep_float.empty() ||
           scales.value_or(quantize::ScaleKind::kAuto) != quantize::ScaleKind::kAuto;
  }
};

// Result of a pass; valid during the callback.
struct PassResult {
  std::string name;                   // one of pass_names()
  const graph::Graph& graph;          // including the values of constants
  std::function<std::string()> text;  // the graph's text form; after "lower" one line per layer
};

struct CompileOptions {
  CoreConfig core;
  QuantizeOptions quantize;
  bool requantize = false;  // drops the scales of a network that is quantized already
  lower::Mode mode = lower::Mode::kFused;
  std::optional<Place> first_convolution;  // nullopt: the network's, or that of the mode
  std::string start, stop;                 // lower::Placement
  // Tilings to use instead of the search's (load_schedules()), and the memory that they were
  // measured with.
  std::vector<std::string> schedules = {kNoSchedules};
  std::string tuned_for = kScheduleMemory;
  bool per_layer_streams = false;  // no stream of several layers; "compatible" has none anyway
  // Calibration::sets, for all methods but "global"; empty: own_calibration()
  std::vector<std::vector<Tensor>> calibration;
  // File of Program::class_names; "": the network's own, if it is there
  std::string labels;
  std::function<void(const PassResult& pass)> on_pass;  // after each pass
  bool measure_noise = false;  // fills in CompileResult::noise; needs calibration inputs
  std::string stop_after;      // name of the last pass to run; "": run all
  std::function<void(const std::string& what, double fraction)> on_progress;  // fraction in [0, 1]
};

// A layer's row of the summary table.
struct LayerSummary {
  std::string layer;
  std::string op;
  Place where = Place::kHost;
  std::string tiles;                          // of a convolution: tiling_search.h; "" on the host
  std::optional<lower::TilingReport> tiling;  // of a convolution or dense layer on the core
  uint64_t macs = 0;                          // of one image (macs_of())
  uint64_t gemm_counter = 0;                  // GEMM micro-ops without reset
  uint64_t dram_bytes = 0;                    // loads and stores
  double macs_per_byte = 0;                   // of DRAM; 0 on the host
};

// Tilings of schedule logs (CompileOptions::schedules).
struct ScheduleUse {
  std::optional<std::string> memory;  // that they are for; nullopt with kNoSchedules
  size_t tilings = 0;                 // that the logs have for the core and the memory
  size_t layers = 0;                  // of the core that have a tiling: convolutions, products
  size_t layers_tuned = 0;            // of them, those whose tiling is one of the logs'
};

struct CompileResult {
  Program program;  // without steps if stop_after is a pass before "lower"
  std::vector<LayerSummary> layers;
  // With measure_noise: the layers' signal-to-noise ratios, with gains of 0. nullopt for a network
  // that is quantized already and for method "global".
  std::optional<quantize::Sensitivity> noise;
  ScheduleUse schedules;    // zeros if stop_after is a pass before "lower"
  std::string calibration;  // the calibration inputs: Calibration::source or "16 images"; "" if the
                            // method needs none
};

// Names of the passes in order: "import", "fold", "quantize", ...
std::vector<std::string> pass_names();

// Compiles a network. One that is quantized already keeps its scales, and options of quantization
// are refused for it, unless `requantize`. Errors: kInvalidArgument, kUnsupported, kOutOfMemory,
// naming the layer.
CompileResult compile(const import::Network& network, const CompileOptions& options);

// The integer graph that lower::lower() takes: what all passes before the last make of a network.
// `options` without stop_after and on_pass. Errors: as compile().
graph::Graph graph_to_lower(const import::Network& network, CompileOptions options);

// Measures the quantization noise with these options, layer by layer. Errors: as compile();
// kInvalidArgument for a network that is quantized already or has no calibration inputs.
quantize::Sensitivity measure_sensitivity(const import::Network& network,
                                          const CompileOptions& options);

}  // namespace vta

#endif  // VTA_COMPILER_COMPILE_H_
