// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/numbers/round_up.h"
#include "compiler/graph/passes/independent_images.h"
#include "compiler/lower/core_lowerings.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/memory_plan.h"
#include "compiler/lower/passes.h"
#include "compiler/lower/step_list.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/macs.h"

namespace vta::lower {
namespace {

using graph::Graph;

// Alignment of streams to cache lines: fetch reads bursts.
constexpr uint64_t kStreamAlignmentBytes = 64;

class Lowering {
 public:
  Lowering(const Graph& graph, const CoreConfig& core, Mode mode, const LoweringOptions& options,
           TilingCache& tilings)
      : graph_(graph),
        merges_(options.streams == Streams::kMerged),
        window_(options.window),
        batch_(options.batch ? *options.batch : graph::independent_images(graph)),
        context_(core, mode, merges_, options.schedules, tilings),
        list_(list_steps(graph, context_, mode == Mode::kFused, options.reasons)) {
    result_.program.core = core;
    result_.program.mode = to_string(mode);
  }

  // nullopt: the streams need more tokens than the core's queues hold.
  std::optional<LoweredGraph> run() {
    plan_activations();
    plan_layers();
    const auto fits = [](const Stream& stream) { return stream.builder->fits_token_queues(); };
    if (!std::ranges::all_of(streams_, fits)) return std::nullopt;
    place_streams();
    Program& program = result_.program;
    program.values = std::move(list_.values);
    program.steps = std::move(list_.steps);
    for (ValueId value : list_.inputs)
      program.inputs.push_back({.value = value, .image = {}, .sample = ""});
    for (ValueId value : list_.outputs) program.outputs.push_back({.value = value, .labels = ""});
    program.batch = batch_;
    for (size_t i = 0; i < layer_steps_.size(); ++i) {
      result_.layers[i].macs = macs_of(program, program.steps[layer_steps_[i]]);
    }
    return std::move(result_);
  }

 private:
  struct Stream {
    std::unique_ptr<StreamBuilder> builder;
    std::vector<size_t> steps;  // of the program
  };

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

  // Lowers the core steps. Conversions between host and device are not layers.
  void plan_layers() {
    using Kind = ProgramStep::Kind;
    auto core = list_.core_steps.begin();
    for (size_t index = 0; index < list_.steps.size(); ++index) {
      const ProgramStep& step = list_.steps[index];
      const bool on_core = step.kind == Kind::kCore || step.kind == Kind::kView;
      if (!on_core) end_stream();
      if (step.kind == Kind::kPack || step.kind == Kind::kUnpack) continue;
      LayerPlan plan;
      plan.layer = step.layer;
      plan.op = step.op;
      plan.on_core = on_core;
      if (step.kind == Kind::kView) plan.tiles = "in place";
      if (step.kind == Kind::kCore) {
        const CoreStep& core_step = *core++;
        if (window_.contains(result_.layers.size())) plan_core_layer(core_step, plan);
      }
      result_.layers.push_back(std::move(plan));
      layer_steps_.push_back(index);
      if (!merges_) end_stream();
    }
    end_stream();
  }

  // Lowers the layer that is next in result_.layers.
  void plan_core_layer(const CoreStep& core_step, LayerPlan& plan) {
    context_.stream().begin_layer();
    context_.place = place_of(core_step.step);
    context_.tiling.reset();
    context_.task.reset();
    plan.tiles = with_context(plan.layer, [&] { return lower_step(core_step); });
    plan.tiling = context_.tiling;
    plan.task = context_.task;
    open_.push_back(core_step.step);
    open_plans_.push_back(result_.layers.size());
  }

  // The neighbours of a step in its stream, for task_text().
  std::string place_of(size_t index) const {
    using Kind = ProgramStep::Kind;
    const auto neighbour = [&](ptrdiff_t direction) -> std::string {
      auto i = static_cast<ptrdiff_t>(index) + direction;
      const auto end = static_cast<ptrdiff_t>(list_.steps.size());
      while (i >= 0 && i < end && list_.steps[static_cast<size_t>(i)].kind == Kind::kView)
        i += direction;
      if (i < 0 || i >= end) return "none";
      const ProgramStep& step = list_.steps[static_cast<size_t>(i)];
      return step.kind == Kind::kCore ? shape_text(step) : "none";
    };
    return fmt::format("; after {}; before {}", neighbour(-1), neighbour(1));
  }

  std::string shape_text(const ProgramStep& step) const {
    const auto shape = [&](ValueId value) {
      return fmt::join(list_.values.at(value).type.shape, "x");
    };
    std::string text = fmt::format("{} {}>{}", to_string(step.op), shape(step.inputs.at(0)),
                                   shape(step.outputs.at(0)));
    if (step.inputs.size() > 1) text += fmt::format(" of {}", step.inputs.size());
    return fmt::format("{} k{}x{}", text, step.attrs.kernel[0], step.attrs.kernel[1]);
  }

  void end_stream() {
    if (open_.empty()) return;
    streams_.push_back({context_.end_stream(), std::exchange(open_, {})});
    const std::vector<size_t> plans = std::exchange(open_plans_, {});
    for (size_t i = 0; i < plans.size(); ++i)
      result_.layers[plans[i]].counts = streams_.back().builder->counts(i);
  }

  std::string lower_step(const CoreStep& core_step) {
    const ProgramStep& step = list_.steps[core_step.step];
    const ValueId output = step.outputs.at(0);
    CoreStepRequest request{graph_,
                            graph_.node(core_step.node),
                            core_step.add ? &*core_step.add : nullptr,
                            core_step.pool ? &graph_.node(*core_step.pool) : nullptr,
                            {},
                            address(output),
                            num_elems(output),
                            context_};
    for (ValueId input : step.inputs) request.operands.push_back(address(input));
    return find_core_lowering(step.op)->lower(request);
  }

  // Number of OUT elements of a packed value.
  int64_t num_elems(ValueId value) const {
    return static_cast<int64_t>(packed_size_bytes(list_.values.at(value), context_.core) /
                                context_.core.out_elem_bytes());
  }

  // Order of the arena: constants, streams, activations.
  void place_streams() {
    uint64_t end = round_up(context_.image.bytes().size(), kStreamAlignmentBytes);
    for (const Stream& stream : streams_) {
      end += round_up(stream.builder->size() * isa::kInstructionBytes, kStreamAlignmentBytes);
    }
    const uint64_t activations = round_up(end, arena_alignment_bytes(context_.core));
    for (const Stream& stream : streams_) place(stream, activations);
    VTA_ASSERT(context_.image.bytes().size() <= activations, "activations follow the image");
    for (ProgramValue& value : list_.values) {
      if (value.on_device) value.arena_offset_bytes += activations;
    }
    result_.program.arena_bytes = activations + activations_bytes_;
    result_.program.arena_image = context_.image.take();
  }

  // The steps of a stream are consecutive slices of it.
  void place(const Stream& stream, uint64_t activations) {
    const std::string& first = list_.steps[stream.steps.front()].layer;
    const auto built = with_context(first, [&] { return stream.builder->finish(activations); });
    uint64_t offset =
        context_.image.append(isa::bytes_of(built.instructions), kStreamAlignmentBytes);
    uint32_t begin = 0;
    for (size_t i = 0; i < stream.steps.size(); ++i) {
      ProgramStep& step = list_.steps[stream.steps[i]];
      step.stream_offset_bytes = offset;
      step.num_instructions = built.layer_ends[i] - begin;
      step.continues = i + 1 < stream.steps.size();
      offset += uint64_t{step.num_instructions} * isa::kInstructionBytes;
      begin = built.layer_ends[i];
    }
  }

  const Graph& graph_;
  const bool merges_;
  const LayerRange window_;
  const int64_t batch_;
  LayerContext context_;
  StepList list_;
  LoweredGraph result_;
  uint64_t activations_bytes_ = 0;
  std::vector<size_t> layer_steps_;  // program step of each of result_.layers
  std::vector<Stream> streams_;
  std::vector<size_t> open_, open_plans_;  // steps and plans of the stream that has not ended
};

}  // namespace

const char* to_string(Mode mode) { return mode == Mode::kFused ? "fused" : "compatible"; }

Mode mode_from_string(const std::string& text) {
  for (Mode mode : {Mode::kFused, Mode::kCompatible}) {
    if (text == to_string(mode)) return mode;
  }
  fail(ErrorCode::kInvalidArgument, "mode '{}' is not one of fused, compatible", text);
}

LoweredGraph lower(const Graph& graph, const CoreConfig& core, Mode mode,
                   const LoweringOptions& options) {
  TilingCache own;
  TilingCache& tilings = options.tilings != nullptr ? *options.tilings : own;
  auto lowered = Lowering(graph, core, mode, options, tilings).run();
  // The tiling search limits the tokens of a layer, but not of its overlap with its neighbours.
  if (!lowered) {
    LoweringOptions alone = options;
    alone.streams = Streams::kPerLayer;
    TilingCache tilings_alone;  // other layers do not overlap with these
    lowered = Lowering(graph, core, mode, alone, tilings_alone).run();
  }
  VTA_ASSERT(lowered.has_value(), "a layer's tokens fit the core's queues");
  return std::move(*lowered);
}

}  // namespace vta::lower
