// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "compiler/lower/add_lowering.h"
#include "compiler/lower/conv_constants.h"
#include "compiler/lower/conv_lowering.h"
#include "compiler/lower/copy_lowering.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/memory_plan.h"
#include "compiler/lower/pool_lowering.h"
#include "compiler/lower/step_list.h"
#include "hw/isa/program_bytes.h"
#include "runtime/base/round_up.h"
#include "runtime/program/macs.h"

namespace vta::lower {
namespace {

using graph::Graph;
using graph::Node;
using program::DramAddress;
using program::StreamBuilder;

// Streams start on a cache line: fetch reads them in bursts.
constexpr uint64_t kStreamAlignmentBytes = 64;

AluStyle style_of(const CoreConfig& core, Mode mode) {
  if (mode == Mode::kCompatible) return AluStyle::kDocument;
  return core.extension ? AluStyle::kReq : AluStyle::kShort;
}

class Lowering {
 public:
  Lowering(const Graph& graph, const CoreConfig& core, Mode mode)
      : graph_(graph),
        context_(core, mode == Mode::kFused && core.extension, style_of(core, mode)),
        list_(list_steps(graph, core, mode == Mode::kFused)) {
    result_.program.core = core;
    result_.program.mode = to_string(mode);
  }

  LoweredGraph run() {
    plan_activations();
    plan_layers();
    place_streams();
    Program& program = result_.program;
    program.values = std::move(list_.values);
    program.steps = std::move(list_.steps);
    for (ValueId value : list_.inputs)
      program.inputs.push_back({.value = value, .image = {}, .sample = ""});
    for (ValueId value : list_.outputs) program.outputs.push_back({.value = value, .labels = ""});
    for (size_t i = 0; i < layer_steps_.size(); ++i) {
      result_.layers[i].macs = macs_of(program, program.steps[layer_steps_[i]]);
    }
    return std::move(result_);
  }

 private:
  void plan_activations() {
    const std::vector<StoragePlan::Storage> storages = list_.storage.storages();
    std::map<ValueId, size_t> storage_of;
    std::vector<Lifetime> lifetimes;
    for (const StoragePlan::Storage& storage : storages) {
      for (const auto& member : storage.members) storage_of[member.value] = lifetimes.size();
      lifetimes.push_back({storage.size_bytes, list_.steps.size(), 0});
    }
    for (size_t index = 0; index < list_.steps.size(); ++index) {
      const auto use = [&](ValueId value) {
        const auto storage = storage_of.find(value);
        if (storage == storage_of.end()) return;
        Lifetime& lifetime = lifetimes[storage->second];
        lifetime.first = std::min(lifetime.first, index);
        lifetime.last = index;
      };
      std::ranges::for_each(list_.steps[index].inputs, use);
      std::ranges::for_each(list_.steps[index].outputs, use);
    }
    const MemoryPlan plan = plan_memory(lifetimes, arena_alignment_bytes(context_.core));
    for (size_t i = 0; i < storages.size(); ++i) {
      for (const auto& member : storages[i].members) {
        list_.values[static_cast<size_t>(member.value)].arena_offset_bytes =
            plan.offsets_bytes[i] + static_cast<uint64_t>(member.begin);
      }
    }
    activations_bytes_ = plan.size_bytes;
  }

  DramAddress address(ValueId value) const {
    return {DramAddress::Area::kActivations, list_.values.at(value).arena_offset_bytes};
  }

  // Core layers with their streams; what only changes sides is no layer.
  void plan_layers() {
    using Kind = ProgramStep::Kind;
    auto core = list_.core_steps.begin();
    for (size_t index = 0; index < list_.steps.size(); ++index) {
      const ProgramStep& step = list_.steps[index];
      if (step.kind == Kind::kPack || step.kind == Kind::kUnpack) continue;
      LayerPlan plan;
      plan.layer = step.layer;
      plan.op = step.op;
      plan.on_core = step.kind != Kind::kHost;
      if (step.kind == Kind::kView) plan.tiles = "in place";
      if (step.kind == Kind::kCore) {
        with_context(step.layer, [&] { streams_.push_back(lower_step(*core++, plan)); });
        plan.counts = streams_.back().counts();
      }
      result_.layers.push_back(std::move(plan));
      layer_steps_.push_back(index);
    }
  }

  StreamBuilder lower_step(const CoreStep& step, LayerPlan& plan) {
    const ValueId output = list_.steps[step.step].outputs[0];
    if (step.pool >= 0) return lower_pool(step, output, plan);
    if (step.conv < 0 && step.add < 0) return lower_copy_step(step, output, plan);
    if (step.conv < 0) return lower_add(step, output, plan);
    const Node& conv = graph_.node(step.conv);
    ConvLayer layer;
    layer.shape = conv_shape_of(conv.kind, conv.attrs, graph_.node(conv.inputs[0]).type, conv.type,
                                context_.core);
    layer.requantization = requantization_of(conv.attrs, conv.name);
    layer.input = address(step.source);
    layer.output = address(output);
    layer.weights = graph_.node(conv.inputs[1]).value;
    if (conv.kind == OpKind::kQConv2dTranspose) {
      layer.weights = as_convolution_weights(layer.weights, conv.attrs.groups);
    }
    layer.bias = graph_.node(conv.inputs[2]).value;
    if (conv.inputs.size() > 3) {
      layer.shifts = graph_.node(conv.inputs[3]).value;
      layer.requantization.per_channel = true;
    }
    if (step.add >= 0) {
      const Node& add = graph_.node(step.add);
      const bool second = step.residual_operand == 1;
      layer.residual = ResidualAdd{
          address(step.residual), second ? add.attrs.shift_a : add.attrs.shift_b,
          second ? add.attrs.shift_b : add.attrs.shift_a, requantization_of(add.attrs, add.name)};
    }
    const Tiling& tiling = tiling_of(layer);
    plan.tiles = to_string(tiling, layer.shape);
    return lower_convolution(layer, tiling, context_);
  }

  StreamBuilder lower_add(const CoreStep& step, ValueId output, LayerPlan& plan) {
    const Node& add = graph_.node(step.add);
    AddLayer layer;
    layer.num_elems = static_cast<int64_t>(packed_size_bytes(add.type, context_.core) /
                                           context_.core.out_elem_bytes());
    layer.a = address(step.source);
    layer.b = address(step.residual);
    layer.output = address(output);
    layer.shift_a = add.attrs.shift_a;
    layer.shift_b = add.attrs.shift_b;
    layer.requantization = requantization_of(add.attrs, add.name);
    plan.tiles = fmt::format("{}", add_tile_elems(layer, context_.core));
    return lower_addition(layer, context_);
  }

  StreamBuilder lower_pool(const CoreStep& step, ValueId output, LayerPlan& plan) {
    const Node& pool = graph_.node(step.pool);
    PoolLayer layer =
        pool_layer_of(pool.attrs, graph_.node(pool.inputs[0]).type, pool.type, context_.core);
    layer.input = address(step.source);
    layer.output = address(output);
    const auto tiling = find_pool_tiling(layer, context_.core);
    VTA_ASSERT(tiling.has_value(), "the partition leaves other pools on the host");
    plan.tiles = to_string(*tiling);
    return lower_max_pool(layer, *tiling, context_);
  }

  StreamBuilder lower_copy_step(const CoreStep& step, ValueId output, LayerPlan& plan) {
    const auto elems = static_cast<int64_t>(
        packed_size_bytes(list_.values[static_cast<size_t>(output)].type, context_.core) /
        context_.core.out_elem_bytes());
    plan.tiles = fmt::format("copy {}", copy_tile_elems(elems, context_.core));
    return lower_copy(address(step.source), address(output), elems, context_);
  }

  // Layers of one shape recur in a network; each is searched for once.
  const Tiling& tiling_of(const ConvLayer& layer) {
    const auto passes = convolution_passes(context_.style, layer.requantization).size();
    const auto key = std::tuple(layer.shape, layer.residual.has_value(),
                                layer.requantization.per_channel, passes);
    auto found = tilings_.find(key);
    if (found == tilings_.end()) found = tilings_.emplace(key, find_tiling(layer, context_)).first;
    return found->second;
  }

  // Streams follow the constants, activations follow the streams.
  void place_streams() {
    uint64_t end = round_up(context_.image.bytes().size(), kStreamAlignmentBytes);
    for (const StreamBuilder& stream : streams_) {
      end += round_up((stream.size() + 1) * isa::kInstructionBytes, kStreamAlignmentBytes);
    }
    const uint64_t activations = round_up(end, arena_alignment_bytes(context_.core));
    for (size_t i = 0; i < streams_.size(); ++i) {
      ProgramStep& step = list_.steps[list_.core_steps[i].step];
      const auto bits = with_context(step.layer, [&] { return streams_[i].finish(activations); });
      step.stream_offset_bytes = context_.image.append(isa::bytes_of(bits), kStreamAlignmentBytes);
      step.num_instructions = static_cast<uint32_t>(bits.size());
    }
    VTA_ASSERT(context_.image.bytes().size() <= activations, "activations lie behind the image");
    for (ProgramValue& value : list_.values) {
      if (value.on_device) value.arena_offset_bytes += activations;
    }
    result_.program.arena_bytes = activations + activations_bytes_;
    result_.program.arena_image = context_.image.take();
  }

  const Graph& graph_;
  LayerContext context_;
  StepList list_;
  LoweredGraph result_;
  uint64_t activations_bytes_ = 0;
  std::vector<size_t> layer_steps_;     // the step of each of the result's layers
  std::vector<StreamBuilder> streams_;  // of list_.core_steps, in order
  std::map<std::tuple<ConvShape, bool, bool, size_t>, Tiling> tilings_;
};

}  // namespace

const char* to_string(Mode mode) { return mode == Mode::kFused ? "fused" : "compatible"; }

Mode mode_from_string(const std::string& text) {
  for (Mode mode : {Mode::kFused, Mode::kCompatible}) {
    if (text == to_string(mode)) return mode;
  }
  fail(ErrorCode::kInvalidArgument, "mode '{}' is not one of fused, compatible", text);
}

LoweredGraph lower(const Graph& graph, const CoreConfig& core, Mode mode) {
  return Lowering(graph, core, mode).run();
}

}  // namespace vta::lower
