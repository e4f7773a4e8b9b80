// SPDX-License-Identifier: Apache-2.0
//
// From a network to a program: the whole chain of the compiler, behind one function.
#ifndef VTA_COMPILER_COMPILE_H_
#define VTA_COMPILER_COMPILE_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/import/network.h"
#include "compiler/quantize/sensitivity.h"
#include "configs/core_config.h"
#include "runtime/program/program.h"

namespace vta {

// Choices of quantization, as the command line has them; "" or none is the method's default
// (compiler/quantize/options.h).
struct QuantizeOptions {
  std::string per_channel, equalize;    // "on", "off"
  std::string rounding;                 // "nearest", "adaptive"
  std::vector<std::string> keep_float;  // layers that stay float32

  bool any() const {
    return !per_channel.empty() || !equalize.empty() || !rounding.empty() || !keep_float.empty();
  }
};

// What a stage left; for the time of the call.
struct StageResult {
  std::string name;                   // see stage_names()
  const graph::Graph& graph;          // with the constants' values
  std::function<std::string()> text;  // the graph's text form; after "lower" a line a layer
};

struct CompileOptions {
  CoreConfig core;
  std::string quantize;  // "global", "max", "mse", "kl"; "" is the network's default,
                         // "mse" if `calibration` is given
  QuantizeOptions quantize_options;
  std::string mode = "fused";       // "fused", "compatible"
  std::string first_convolution;    // "host", "core"; "" is the network's default
  std::vector<Tensor> calibration;  // float32 [1, c, h, w] each, for all methods but "global";
                                    // empty: the network's own, else its sample
  std::function<void(const StageResult& stage)> on_stage;  // after each stage
  std::string stop_after;  // name of the last stage to run; "" runs all
  std::function<void(const std::string& what, double fraction)> on_progress;  // fraction in [0, 1]
};

// What the compiler decided for one layer, for the summary table.
struct LayerSummary {
  std::string layer;
  std::string op;
  std::string where;          // "core", "host"
  std::string tiles;          // "th x tw x tco x tci", "" on the host
  uint64_t macs = 0;          // of the layer and one image (macs_of())
  uint64_t gemm_counter = 0;  // micro-ops of GEMM without reset
  uint64_t dram_bytes = 0;    // loads and stores together
  double macs_per_byte = 0;   // of DRAM; 0 on the host
};

struct CompileResult {
  Program program;  // empty (no steps) if stop_after ended the chain before
  std::vector<LayerSummary> layers;
  std::string calibration;  // what scales were chosen on: Calibration::source, "16 images"; "" if
                            // the method asks for nothing
};

// "import", "fold", "quantize", "partition", ... in order.
std::vector<std::string> stage_names();

// A network that is quantized already is taken as it is; a choice of quantization is refused.
// Errors: kInvalidArgument, kUnsupported, kOutOfMemory, naming the layer.
CompileResult compile(const import::Network& network, const CompileOptions& options);

// What quantization with these options costs, layer by layer. Errors: those of compile(), and
// kInvalidArgument for a network that is quantized already or has no calibration inputs.
quantize::Sensitivity measure_sensitivity(const import::Network& network,
                                          const CompileOptions& options);

}  // namespace vta

#endif  // VTA_COMPILER_COMPILE_H_
