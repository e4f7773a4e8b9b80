// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/errors/counted.h"
#include "base/files/object_reader.h"
#include "base/numbers/parse_number.h"
#include "compiler/calibration.h"
#include "compiler/graph/passes/canonicalize.h"
#include "compiler/graph/passes/dependences.h"
#include "compiler/graph/passes/erase_identities.h"
#include "compiler/graph/passes/fold_affine.h"
#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/fold_pad.h"
#include "compiler/graph/passes/hoist_average_pools.h"
#include "compiler/graph/passes/independent_images.h"
#include "compiler/graph/passes/left_products.h"
#include "compiler/graph/passes/merge_gates.h"
#include "compiler/graph/passes/merge_movements.h"
#include "compiler/graph/passes/sink_movements.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/packed_text.h"
#include "compiler/lower/passes.h"
#include "compiler/quantize/drop_quantization.h"
#include "compiler/quantize/float_layers.h"
#include "compiler/quantize/forms.h"
#include "compiler/quantize/free_quantize.h"
#include "compiler/quantize/merge_quantized.h"
#include "compiler/quantize/plan.h"
#include "compiler/quantize/quantize.h"
#include "compiler/quantize/regions.h"
#include "compiler/quantize/sum_bounds.h"
#include "configs/config_files.h"
#include "configs/memory_config.h"
#include "runtime/host/network_input.h"

namespace vta {
namespace {

using graph::Graph;

constexpr double kMaxWantedDecibels = 100;  // of --keep-float auto:DB; fp32 has no more itself

// State passed from pass to pass.
struct Chain {
  const import::Network& network;
  const CompileOptions& options;
  quantize::Options quantization;
  std::optional<double> wanted_db;             // of --keep-float auto:DB
  bool may_free_scales = false;                // ScaleKind::kAuto, if the host gets no more steps
  std::optional<quantize::Options> otherwise;  // of kAuto: the kind that it did not choose
  Graph graph;
  std::optional<lower::LoweredGraph> lowered;
  ScheduleUse schedules;
  int64_t batch = 1;                                // Program's
  std::string calibration;                          // CompileResult's
  std::optional<quantize::Sensitivity> noise;       // likewise
  std::map<std::string, HostReason> float_reasons;  // of layers that may compute in fp32
  lower::HostReasons host_reasons;

  bool is_quantized() const { return network.is_quantized && !options.requantize; }

  void progress(const std::string& what, double fraction) const {
    if (options.on_progress) options.on_progress(what, fraction);
  }
};

bool is_compatible(const Chain& chain) { return chain.options.mode == lower::Mode::kCompatible; }

void run_import(Chain& chain) {
  chain.graph = chain.network.graph;
  if (chain.options.requantize) quantize::drop_quantization(chain.graph);
}

void run_fold(Chain& chain) {
  graph::fold_constants(chain.graph);
  if (!chain.is_quantized()) {  // movements then meet their inverses
    // Their convolutions have the columns of a matrix as pixels, but images may be columns.
    if (chain.options.core.batch == 1) graph::left_products_to_convolutions(chain.graph);
    if (graph::sink_movements(chain.graph)) graph::merge_movements(chain.graph);
  }
  if (chain.is_quantized()) {
    graph::canonicalize_exactly(chain.graph);
  } else {
    graph::canonicalize(chain.graph);
    graph::merge_gates(chain.graph);
  }
  graph::merge_movements(chain.graph);
  graph::erase_identities(chain.graph);  // so that the following passes see adjacent layers
  graph::fold_batch_norm(chain.graph);
  if (!chain.is_quantized()) graph::fold_affine(chain.graph);
  graph::fold_pad(chain.graph);
  // It moves roundings; mode compatible computes what VTA's flow does.
  if (!chain.is_quantized() && !is_compatible(chain)) graph::hoist_average_pools(chain.graph);
}

// A set of a model with a fixed batch has several. The last may be filled up.
int64_t num_calibration_images(const import::Network& network, const CompileOptions& options) {
  return std::ssize(options.calibration) * graph::independent_images(network.graph);
}

std::vector<std::vector<Tensor>> calibration_of(Chain& chain) {
  const std::vector<std::vector<Tensor>>& given = chain.options.calibration;
  Calibration taken =
      given.empty()
          ? own_calibration(chain.network)
          : Calibration{given,
                        counted(num_calibration_images(chain.network, chain.options), "image")};
  chain.calibration = taken.source;
  return std::move(taken.sets);
}

// The quantizer keeps the names of what stays float; a quantized model has chosen already, except
// for operators without an integer form.
void note_float_reasons(Chain& chain) {
  for (const auto& [name, reason] :
       quantize::float_reasons(chain.graph, chain.quantization.keep_float)) {
    const bool is_the_operators =
        reason == HostReason::kNoIntegerForm || reason == HostReason::kSmallProduct;
    if (!chain.is_quantized() || is_the_operators) chain.float_reasons[name] = reason;
  }
}

void merge_quantized(Chain& chain) {
  if (chain.network.is_integer) return;
  quantize::merge_quantized(chain.graph);
  graph::merge_movements(chain.graph);  // that conversions separated
}

void quantize_graph(Chain& chain, const std::vector<std::vector<Tensor>>& calibration) {
  const auto on_progress = [&](double fraction) { chain.progress("quantize", fraction); };
  const bool measures_noise = chain.options.measure_noise && !calibration.empty();
  const auto measured = [&](const auto&... plan) {
    chain.progress("noise", 0);
    chain.noise = quantize::measure_noise(plan..., calibration);
  };
  if (chain.quantization.free_scales) {
    quantize::FreePlan plan =
        quantize::make_free_plan(chain.graph, chain.quantization, calibration, on_progress);
    quantize::check_sums(plan.graph);
    if (measures_noise) measured(chain.graph, plan);
    chain.graph = std::move(plan.graph);
  } else {
    quantize::Plan plan =
        quantize::make_plan(chain.graph, chain.quantization, calibration, on_progress);
    quantize::check_sums(plan.result.graph);
    if (measures_noise) measured(plan);
    chain.graph = std::move(plan.result.graph);
  }
}

void choose_float_layers(Chain& chain, const std::vector<std::vector<Tensor>>& calibration) {
  if (!chain.wanted_db) return;
  chain.quantization.keep_float = quantize::choose_float_layers(
      chain.graph, chain.quantization, calibration, *chain.wanted_db,
      [&](double fraction) { chain.progress("fp32 layers", fraction); });
}

void run_fuse_shortcut(Chain& chain) { lower::fuse_shortcut(chain.graph, chain.options.core); }

void run_move_channels(Chain& chain) { lower::move_channels(chain.graph, chain.options.core); }

void run_unflatten_dense(Chain& chain) { lower::unflatten_dense(chain.graph, chain.options.core); }

void run_hoist_pools(Chain& chain) {
  if (!is_compatible(chain)) lower::hoist_pools(chain.graph);
}

// Networks of one image are rebatched for the core. A first axis of another size stays as it is.
void run_rebatch(Chain& chain) {
  const std::vector<graph::NodeId> inputs = chain.graph.inputs();
  const bool is_of_one = std::ranges::all_of(inputs, [&](graph::NodeId id) {
    const std::vector<int64_t>& shape = chain.graph.node(id).type.shape;
    return !shape.empty() && shape[0] == 1;
  });
  if (!is_of_one || inputs.empty()) {
    chain.batch = graph::independent_images(chain.graph);
    return;
  }
  chain.graph = lower::rebatch(chain.graph, chain.options.core);
  chain.batch = chain.options.core.batch;
}

// The first convolution: the option, the network's, or that of the mode.
lower::Placement placement_of(const Chain& chain) {
  const Place usual = is_compatible(chain) ? Place::kHost : Place::kCore;
  const Place first = chain.network.first_convolution.value_or(usual);
  return {chain.options.first_convolution.value_or(first), usual, chain.options.start,
          chain.options.stop};
}

void run_partition(Chain& chain) {
  chain.host_reasons = lower::partition(chain.graph, chain.options.core, placement_of(chain));
  for (auto& [id, reason] : chain.host_reasons) {
    const auto found = chain.float_reasons.find(chain.graph.node(id).name);
    if (reason == HostReason::kFloatModel && found != chain.float_reasons.end())
      reason = found->second;
  }
}

// The operators of the host before operators of the core, and its convolutions and dense layers.
// What follows the last layer costs little.
size_t num_host_steps(const Chain& chain, Graph integer) {
  Chain trial{.network = chain.network, .options = chain.options};
  trial.graph = std::move(integer);
  for (auto* run : {run_fuse_shortcut, run_move_channels, run_unflatten_dense, run_hoist_pools,
                    run_rebatch, run_partition})
    run(trial);
  const auto before_core =
      graph::nodes_before(trial.graph, [](const graph::Node& node) { return node.on_core; });
  const auto is_step = [&](graph::NodeId id) {
    const graph::Node& node = trial.graph.node(id);
    if (node.on_core || node.kind == OpKind::kInput || node.kind == OpKind::kConstant) return false;
    const bool is_layer = quantize::form_of(trial.graph, node) == quantize::Form::kWeighted;
    return is_layer || before_core.contains(id);
  };
  return static_cast<size_t>(std::ranges::count_if(trial.graph.order(), is_step));
}

// `options` with free scales, which have no method.
quantize::Options with_free_scales(const quantize::Options& options) {
  quantize::Options free(quantize::Method::kMax);
  free.free_scales = true;
  free.rounding = options.rounding;
  free.keep_float = options.keep_float;
  return free;
}

// Whether the other kind of scales may work.
bool may_be_of_scales(const Error& error) {
  return error.code() == ErrorCode::kUnsupported || error.code() == ErrorCode::kInvalidArgument;
}

// Whether free scales cost accuracy or many cycles, as measured (docs/experiments.md, "Activations
// with free scales"): leaky relus that are not part of an operator become two sums, products and
// hard swish have no zero points.
bool prefers_shifts(const Graph& graph, const std::vector<std::string>& keep_float) {
  const quantize::Regions regions = quantize::find_regions(graph, keep_float);
  return std::ranges::any_of(regions.integer, [&](graph::NodeId id) {
    const graph::Node& node = graph.node(id);
    if (node.kind == OpKind::kLeakyRelu) return !regions.fused_activation.contains(node.inputs[0]);
    return node.kind == OpKind::kHardSwish || node.kind == OpKind::kHardSigmoid ||
           quantize::form_of(graph, node) == quantize::Form::kProduct;
  });
}

// ScaleKind::kAuto. Some operators have a form on the core with powers of two alone. One input
// shows what free scales would move to the host, and which kind is refused. If both are, the error
// of powers of two is the compile's.
void choose_scales(Chain& chain, const std::vector<std::vector<Tensor>>& calibration) {
  if (!chain.may_free_scales) return;
  if (prefers_shifts(chain.graph, chain.quantization.keep_float)) {
    chain.otherwise = with_free_scales(chain.quantization);
    return;
  }
  const std::vector<std::vector<Tensor>> first(calibration.begin(), calibration.begin() + 1);
  quantize::Options shifts = chain.quantization;
  shifts.rounding = quantize::WeightRounding::kNearest;
  const quantize::Options free = with_free_scales(shifts);
  const auto hosted = [&](const quantize::Options& options) -> std::optional<size_t> {
    try {
      Graph integer = quantize::quantize(chain.graph, options, first);
      quantize::check_sums(integer);
      return num_host_steps(chain, std::move(integer));
    } catch (const Error& error) {
      if (!may_be_of_scales(error)) throw;
      return std::nullopt;
    }
  };
  const std::optional<size_t> with_free = hosted(free), with_shifts = hosted(shifts);
  if (!with_free || (with_shifts && *with_free > *with_shifts)) return;
  chain.otherwise = chain.quantization;
  chain.quantization = with_free_scales(chain.quantization);
}

// All inputs may refuse a kind that one did not. If both are refused, the error of powers of two is
// thrown.
void quantize_as_chosen(Chain& chain, const std::vector<std::vector<Tensor>>& calibration) {
  std::optional<Error> of_shifts;
  try {
    return quantize_graph(chain, calibration);
  } catch (const Error& error) {
    if (!chain.otherwise || !may_be_of_scales(error)) throw;
    if (!chain.quantization.free_scales) of_shifts = error;
  }
  chain.quantization = *chain.otherwise;
  try {
    quantize_graph(chain, calibration);
  } catch (const Error& error) {
    if (!of_shifts || !may_be_of_scales(error)) throw;
    throw Error(*of_shifts);
  }
}

void run_quantize(Chain& chain) {
  if (chain.is_quantized()) {
    note_float_reasons(chain);
    merge_quantized(chain);
    quantize::check_sums(chain.graph);
  } else {
    std::vector<std::vector<Tensor>> calibration;
    if (chain.quantization.method != quantize::Method::kGlobal) calibration = calibration_of(chain);
    choose_scales(chain, calibration);
    choose_float_layers(chain, calibration);
    note_float_reasons(chain);
    quantize_as_chosen(chain, calibration);
  }
}

void run_unfold_inputs(Chain& chain) {
  lower::unfold_inputs(chain.graph, chain.options.core, chain.options.mode);
}

// Nothing changes: the layouts follow from the partition, and `lower` computes addresses with them.
void run_pack(Chain&) {}

ScheduleUse use_of(const lower::ScheduleBook& schedules,
                   const std::vector<lower::LayerPlan>& layers) {
  ScheduleUse use{.tilings = schedules.size()};
  for (const lower::LayerPlan& layer : layers) {
    if (!layer.task) continue;
    ++use.layers;
    if (schedules.find(layer.task->text) != nullptr) ++use.layers_tuned;
  }
  return use;
}

void run_lower(Chain& chain) {
  const bool per_layer = chain.options.per_layer_streams || is_compatible(chain);
  const lower::ScheduleBook schedules =
      load_schedules(chain.options.schedules, chain.options.core, chain.options.tuned_for,
                     chain.network.graph.name);
  lower::LoweringOptions how;
  how.streams = per_layer ? lower::Streams::kPerLayer : lower::Streams::kMerged;
  how.schedules = &schedules;
  how.reasons = chain.host_reasons;
  how.batch = chain.batch;
  chain.lowered = lower::lower(chain.graph, chain.options.core, chain.options.mode, how);
  chain.schedules = use_of(schedules, chain.lowered->layers);
  if (names_logs(chain.options.schedules)) chain.schedules.memory = chain.options.tuned_for;
}

std::string partition_text(const Graph& graph) {
  std::string text;
  for (graph::NodeId id : graph.order()) {
    if (graph.node(id).on_core) text += fmt::format("# on the core: {}\n", graph.node(id).name);
  }
  return text;
}

std::string lowered_text(const lower::LoweredGraph& lowered) {
  std::string text;
  for (const lower::LayerPlan& layer : lowered.layers) {
    text += fmt::format("{} {} {}\n", layer.layer, to_string(layer.op),
                        layer.on_core ? "core, tiles " + layer.tiles : std::string("host"));
  }
  return text + fmt::format("arena {} bytes, of which image {} bytes\n",
                            lowered.program.arena_bytes, lowered.program.arena_image.size());
}

std::string graph_or_program_text(const Chain& chain) {
  if (chain.lowered) return lowered_text(*chain.lowered);
  return to_text(chain.graph) + partition_text(chain.graph);
}

std::string pack_text(const Chain& chain) {
  return lower::packed_text(chain.graph, chain.options.core);
}

struct Pass {
  const char* name;
  void (*run)(Chain&);
  std::string (*text)(const Chain&) = graph_or_program_text;
};

constexpr Pass kPasses[] = {
    {"import", run_import},      // float32 graph of the network
    {"fold", run_fold},          // batch norms, constants, synonymous operators
    {"quantize", run_quantize},  // float32 -> int8
    {"fuse_shortcut",
     run_fuse_shortcut},  // after quantize: the copying convolution is exact on integers
    {"move_channels", run_move_channels},      // likewise
    {"unflatten_dense", run_unflatten_dense},  // keeps images in the core's layout
    {"hoist_pools", run_hoist_pools},          // max pools next to their convolutions
    {"rebatch", run_rebatch},                  // batch size of the core
    {"partition", run_partition},              // assigns operators to core and host
    {"unfold_inputs", run_unfold_inputs},      // fills the lanes of first convolutions
    {"pack", run_pack, pack_text},             // for dumps: the layouts and steps of the core
    {"lower", run_lower},                      // tiles, micro-ops, instructions
};

// Whether the network keeps its own scales. Errors: kInvalidArgument for `requantize` without
// effect.
bool keeps_scales(const import::Network& network, const CompileOptions& options) {
  if (!options.requantize) return network.is_quantized;
  if (!network.is_quantized)
    fail(ErrorCode::kInvalidArgument, "{} is not quantized; requantize has no effect",
         network.graph.name);
  if (network.is_integer) {
    fail(ErrorCode::kInvalidArgument,
         "{} is an integer graph without its fp32 weights; requantize the network it was made from",
         network.graph.name);
  }
  return false;
}

bool excludes_free_scales(const QuantizeOptions& chosen) {
  return chosen.method || chosen.per_channel || chosen.equalize;
}

// Streams with REQ: plain passes would not hide below GEMM.
bool has_fast_scaling(const CompileOptions& options) {
  return options.core.extension && options.mode == lower::Mode::kFused;
}

// Errors: kInvalidArgument for options that free scales exclude, and without has_fast_scaling().
void check_free_scales(const CompileOptions& options) {
  if (excludes_free_scales(options.quantize)) {
    fail(ErrorCode::kInvalidArgument, "free scales exclude quantize, per-channel and equalize");
  }
  if (!has_fast_scaling(options)) {
    fail(ErrorCode::kInvalidArgument, "free scales need mode fused and a core with the extension");
  }
}

quantize::Options quantize_options(const import::Network& network, const CompileOptions& options) {
  const QuantizeOptions& chosen = options.quantize;
  const bool is_quantized = keeps_scales(network, options);
  if (is_quantized && chosen.any()) {
    fail(ErrorCode::kInvalidArgument, "{} is quantized already; options of quantization {}",
         network.graph.name, network.is_integer ? "do not apply" : "apply with --requantize only");
  }
  if (is_quantized) return quantize::Method::kGlobal;  // not used
  const bool is_free = chosen.scales == quantize::ScaleKind::kFree;
  if (is_free) check_free_scales(options);
  // If the caller supplies calibration inputs, use them.
  const quantize::Method usual = options.calibration.empty()
                                     ? quantize::method_from_string(network.default_quantize)
                                     : quantize::Method::kMse;
  quantize::Options result = chosen.method.value_or(usual);
  result.per_channel = chosen.per_channel;
  result.equalize = chosen.equalize;
  result.rounding = chosen.rounding;
  result.keep_float = chosen.keep_float;
  return is_free ? with_free_scales(result) : result;
}

// Whether nothing but the host's operators decides on free scales.
bool may_free_scales(const import::Network& network, const CompileOptions& options) {
  const QuantizeOptions& chosen = options.quantize;
  return chosen.scales.value_or(quantize::ScaleKind::kAuto) == quantize::ScaleKind::kAuto &&
         !keeps_scales(network, options) && !excludes_free_scales(chosen) &&
         has_fast_scaling(options) && !network.has_synthetic_weights &&
         num_calibration_images(network, options) >= quantize::kImagesToFree;
}

// The ratio of "auto:DB" in --keep-float, which leaves the names of layers.
std::optional<double> take_wanted_ratio(std::vector<std::string>& keep_float) {
  constexpr std::string_view kAuto = "auto:";
  const auto found = std::ranges::find_if(
      keep_float, [&](const std::string& name) { return name.starts_with(kAuto); });
  if (found == keep_float.end()) return std::nullopt;
  const auto decibels = parse_number<double>(std::string_view(*found).substr(kAuto.size()));
  if (!decibels || *decibels <= 0 || *decibels > kMaxWantedDecibels) {
    fail(ErrorCode::kInvalidArgument,
         "--keep-float: expected auto:DB with a ratio above 0, up to {} dB, got '{}'",
         kMaxWantedDecibels, *found);
  }
  keep_float.erase(found);
  return decibels;
}

Chain chain_of(const import::Network& network, const CompileOptions& options) {
  Chain chain{
      .network = network, .options = options, .quantization = quantize_options(network, options)};
  chain.wanted_db = take_wanted_ratio(chain.quantization.keep_float);
  chain.may_free_scales = !chain.wanted_db && may_free_scales(network, options);
  return chain;
}

LayerSummary summarize(const lower::LayerPlan& plan, const CoreConfig& core) {
  LayerSummary summary;
  summary.layer = plan.layer;
  summary.op = to_string(plan.op);
  summary.where = plan.on_core ? Place::kCore : Place::kHost;
  summary.tiles = plan.tiles;
  summary.tiling = plan.tiling;
  summary.macs = plan.macs;
  summary.gemm_counter = plan.counts.gemm_counter;
  summary.dram_bytes = plan.counts.dram_bytes();
  const double macs =
      static_cast<double>(plan.counts.gemm_counter) * core.batch * core.block_in * core.block_out;
  if (summary.dram_bytes > 0)
    summary.macs_per_byte = macs / static_cast<double>(summary.dram_bytes);
  return summary;
}

// Fills in the fields of the program that come from the network file.
void describe(Program& program, const Chain& chain) {
  const import::Network& network = chain.network;
  program.network = network.graph.name;
  program.quantize = chain.is_quantized() ? "own" : to_string(chain.quantization);
  program.weights = network.weights;
  program.output_spec = network.output_spec;
  for (ProgramInput& input : program.inputs) {
    input.image = network.image;
    input.sample = network.sample;
  }
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    program.outputs[i].labels = network.labels;
    if (!network.output_names.empty()) program.outputs[i].name = network.output_names.at(i);
  }
}

// Program::class_names. Whether the network's own file is there and fits is a matter of runs, which
// name it in their errors; `labels` must be there and fit.
std::vector<std::string> class_names_of(const import::Network& network, const std::string& labels) {
  std::vector<TensorType> types;
  for (const graph::NodeId output : network.graph.outputs())
    types.push_back(network.graph.node(output).type);
  const int64_t classes = num_classes(network.output_spec, types);
  std::vector<std::string> names;
  if (!labels.empty()) {
    names = host::read_class_names(labels, classes);
  } else if (!network.labels.empty()) {
    try {
      names = host::read_class_names(find_beside(network.labels, network.folder), classes);
    } catch (const Error&) {
      return {};
    }
  }
  for (std::string& name : names) name = plain_text(name);
  return names;
}

// A log names the memories it was tuned for, which may be files that are elsewhere; a name that is
// in no log is a memory's or a mistake.
void check_tuned_for(const CompileOptions& options) {
  if (options.tuned_for == kScheduleMemory || names_memory(options.schedules, options.tuned_for))
    return;
  with_context("--tuned-for", [&] { load_memory_config(options.tuned_for); });
}

}  // namespace

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const Pass& pass : kPasses) names.emplace_back(pass.name);
  return names;
}

CompileResult compile(const import::Network& network, const CompileOptions& options) {
  check(options.core);
  check_tuned_for(options);
  const std::vector<std::string> names = pass_names();
  if (!options.stop_after.empty() && std::ranges::find(names, options.stop_after) == names.end()) {
    fail(ErrorCode::kInvalidArgument, "pass '{}' is not one of {}", options.stop_after,
         fmt::join(names, ", "));
  }
  std::vector<std::string> class_names = class_names_of(network, options.labels);
  Chain chain = chain_of(network, options);
  for (const Pass& pass : kPasses) {
    chain.progress(pass.name, 0);
    pass.run(chain);
    graph::verify(chain.graph);
    if (options.on_pass) {
      options.on_pass({pass.name, chain.graph, [&] { return pass.text(chain); }});
    }
    if (options.stop_after == pass.name) break;
  }
  CompileResult result;
  result.calibration = chain.calibration;
  result.schedules = chain.schedules;
  result.noise = std::move(chain.noise);
  if (!chain.lowered) return result;
  describe(chain.lowered->program, chain);
  for (const lower::LayerPlan& plan : chain.lowered->layers)
    result.layers.push_back(summarize(plan, options.core));
  result.program = std::move(chain.lowered->program);
  result.program.calibration = chain.calibration;
  result.program.class_names = std::move(class_names);
  return result;
}

graph::Graph graph_to_lower(const import::Network& network, CompileOptions options) {
  std::optional<graph::Graph> graph;
  options.stop_after = kPasses[std::size(kPasses) - 2].name;
  options.on_pass = [&](const PassResult& pass) {
    if (pass.name == options.stop_after) graph = pass.graph;
  };
  compile(network, options);
  return std::move(graph.value());
}

quantize::Sensitivity measure_sensitivity(const import::Network& network,
                                          const CompileOptions& options) {
  if (keeps_scales(network, options)) {
    fail(ErrorCode::kInvalidArgument, "{} is quantized already; there is no fp32 to compare with",
         network.graph.name);
  }
  Chain chain = chain_of(network, options);
  if (chain.quantization.free_scales) {
    fail(ErrorCode::kInvalidArgument, "the sensitivity report is of power-of-two scales");
  }
  if (chain.wanted_db) {
    fail(ErrorCode::kInvalidArgument,
         "--keep-float auto:DB chooses by the sensitivity, which is reported without it");
  }
  run_import(chain);
  run_fold(chain);
  return quantize::measure_sensitivity(
      chain.graph, chain.quantization, calibration_of(chain),
      [&](double fraction) { chain.progress("sensitivity", fraction); });
}

}  // namespace vta
