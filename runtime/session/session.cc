// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/session.h"

#include <optional>
#include <span>
#include <utility>

#include "base/errors/error.h"
#include "base/limits/stopwatch.h"
#include "configs/core_fields.h"
#include "driver/device_allocation.h"
#include "runtime/program/macs.h"
#include "runtime/program/packing.h"
#include "runtime/program/reported_op.h"
#include "runtime/program/stream_counts.h"
#include "runtime/session/caller_arrays.h"
#include "runtime/session/stream_run.h"
#include "runtime/tensor/quantized.h"

namespace vta {
namespace {

using driver::Device;
using hw::Counters;

// Refuses a device whose core differs from the program's in a hardware field.
void require_same_hardware(const CoreConfig& program, const CoreConfig& device) {
  const auto require = [&](const char* field, uint64_t wanted, uint64_t found) {
    if (wanted == found) return;
    fail(ErrorCode::kInvalidArgument, "the program is for a core with {} {}, the device has {}",
         field, wanted, found);
  };
  for (const CoreField& field : kCoreFields)
    require(field.key, program.*field.member, device.*field.member);
  require("extension", program.extension ? 1 : 0, device.extension ? 1 : 0);
}

// The program without its arena image, which is on the device.
Program without_image(const Program& program) {
  Program kept;
  kept.core = program.core;
  kept.values = program.values;
  kept.steps = program.steps;
  kept.inputs = program.inputs;
  kept.outputs = program.outputs;
  kept.arena_bytes = program.arena_bytes;
  return kept;
}

}  // namespace

// An instruction stream and the request that runs it.
struct Session::Stream {
  StreamRun run;
  driver::RunRequest request;
  std::vector<driver::PartEnd> ends;  // of the last run's parts
};

struct Session::Impl {
  Impl(const Program& full, Device& used_device, HostExecutor used_host, std::mutex* device_turn)
      : program(without_image(full)), device(used_device), host(std::move(used_host)) {
    if (device_turn != nullptr) turn = std::unique_lock(*device_turn, std::defer_lock);
    require_same_hardware(program.core, device.describe().core);
    if (program.arena_bytes > 0) {  // else everything runs on the host
      arena.emplace(device, program.arena_bytes);
      device.copy_in(arena->at(0), full.arena_image);
    }
    for (const ProgramStep& step : program.steps) reports.push_back(report_of(full, step));
    make_streams();
    tensors.resize(program.values.size());
    last_use.assign(program.values.size(), program.steps.size());
    for (size_t i = 0; i < program.steps.size(); ++i) {
      for (ValueId input : program.steps[i].inputs) last_use[input] = i;
    }
    for (const ProgramOutput& output : program.outputs)
      last_use[output.value] = program.steps.size();
    for (size_t id = 0; id < program.values.size(); ++id) {
      if (program.values[id].constant.empty()) continue;
      tensors[id] = program.values[id].constant;
      last_use[id] = program.steps.size();
    }
  }

  // What is known of a step before it runs.
  static LayerReport report_of(const Program& full, const ProgramStep& step) {
    LayerReport layer{.name = step.layer, .op = reported_op(step), .macs = macs_of(full, step)};
    const bool has_stream = step.kind == ProgramStep::Kind::kCore;
    layer.where = place_of(step);
    if (has_stream) layer.counters = counts_of(step_bytes(full, step), full.core);
    layer.ends_run = has_stream && !step.continues;
    return layer;
  }

  void make_streams() {
    for (const StreamSteps steps : streams_of(program)) {
      const StreamRun run(program, steps);
      driver::RunRequest request = run.request();
      request.arena = arena->at(0);
      request.arena_bytes = program.arena_bytes;
      request.timeout *= static_cast<int64_t>(steps.end - steps.first);
      streams.push_back({run, std::move(request), {}});
    }
  }

  void set_inputs(const std::vector<Tensor>& inputs) {
    arrays.reset();
    if (inputs.size() != program.inputs.size()) {
      fail(ErrorCode::kInvalidArgument, "expected {} inputs, got {}", program.inputs.size(),
           inputs.size());
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ProgramValue& value = program.values[program.inputs[i].value];
      if (inputs[i].type() != value.type) {
        fail(ErrorCode::kInvalidArgument, "input {}: expected {}, got {}", value.name,
             to_string(value.type), to_string(inputs[i].type()));
      }
      tensors[program.inputs[i].value] = inputs[i];
    }
  }

  void set_arrays(std::span<const std::span<const uint8_t>> inputs,
                  std::span<const std::span<uint8_t>> outputs) {
    arrays.emplace(program, inputs, outputs);
    for (const ProgramInput& input : program.inputs) tensors[input.value] = Tensor();
  }

  // The tensor of a host value; makes that of an input in the caller's memory.
  const Tensor& tensor(ValueId id) {
    if (arrays && tensors[id].empty()) tensors[id] = arrays->copy_of_input(id);
    return tensors[id];
  }

  // The elements of a host value.
  std::span<const uint8_t> array(ValueId id) {
    if (arrays && tensors[id].empty()) {
      if (const auto input = arrays->input(id)) return *input;
    }
    return tensor(id).bytes();
  }

  // Waits until no other session uses the device.
  void take_turn() {
    if (turn.mutex() == nullptr || turn.owns_lock()) return;
    const Stopwatch stopwatch;
    turn.lock();
    wait_seconds += stopwatch.seconds();
  }
  void end_turn() {
    if (turn.owns_lock()) turn.unlock();
  }

  // Runs a step that is not a stream.
  void run_step(const ProgramStep& step) {
    switch (step.kind) {
      case ProgramStep::Kind::kHost:
        return run_host(step);
      case ProgramStep::Kind::kPack:
        return pack_value(step);
      case ProgramStep::Kind::kUnpack:
        return unpack_value(step);
      case ProgramStep::Kind::kView:  // the bytes are in place already
        return;
      case ProgramStep::Kind::kCore:
        break;
    }
    VTA_ASSERT(false, "steps of the core have instructions");
  }

  // Runs a stream; `layers`: the reports of its steps. Returns its counters and adds its seconds.
  Counters run_stream(Stream& stream, std::span<LayerReport> layers, double* device_seconds) {
    stream.ends.clear();
    stream.request.part_ends = layers.size() > 1 ? &stream.ends : nullptr;
    take_turn();
    const Stopwatch stopwatch;
    const Counters counters = device.run(stream.request);
    const double seconds = stopwatch.seconds();
    StreamRun::report(counters, stream.ends, seconds, layers);
    *device_seconds += seconds;
    return counters;
  }

  void run_host(const ProgramStep& step) {
    end_turn();
    if (const auto numbers = direct_numbers(step)) {
      const ValueId target = step.outputs[0];
      dequantize_elements(tensor(step.inputs[0]), step.attrs, *numbers);
      return arrays->set_written(target, program.values[target].type);
    }
    std::vector<Tensor> inputs;
    for (ValueId input : step.inputs) inputs.push_back(tensor(input));
    Tensor result = host(step.op, step.attrs, inputs);
    const TensorType& type = program.values[step.outputs[0]].type;
    VTA_ASSERT(fits(result.type(), type), "a result is within the bounds of its value");
    tensors[step.outputs[0]] = std::move(result);
  }

  // Where the caller wants the numbers of a step that dequantizes an output, as most programs do at
  // their end; nothing for other steps: results of the executor are tensors of their own.
  std::optional<std::span<float>> direct_numbers(const ProgramStep& step) const {
    if (step.op != OpKind::kDequantize || program.values[step.outputs[0]].type.is_open())
      return std::nullopt;
    const auto output = direct_output(step.outputs[0]);
    if (!output || reinterpret_cast<uintptr_t>(output->data()) % sizeof(float) != 0)
      return std::nullopt;
    return std::span(reinterpret_cast<float*>(output->data()), output->size() / sizeof(float));
  }

  // The caller's array of an output, to be written at once.
  std::optional<std::span<uint8_t>> direct_output(ValueId value) const {
    if (!arrays || is_observed) return std::nullopt;
    return arrays->output(value);
  }

  void pack_value(const ProgramStep& step) {
    const ProgramValue& target = program.values[step.outputs[0]];
    transfer.resize(packed_size_bytes(target, program.core));
    const TensorType& type = program.values[step.inputs[0]].type;
    const std::span<const uint8_t> source = array(step.inputs[0]);
    if (has_operator(step)) {
      pack_unfolded(type, source, step.attrs, target.type, program.core, transfer);
    } else {
      pack(type, source, program.core, transfer, target.layout);
    }
    take_turn();
    device.copy_in(arena->at(target.arena_offset_bytes), transfer);
  }

  void unpack_value(const ProgramStep& step) {
    const ProgramValue& source = program.values[step.inputs[0]];
    const ValueId target = step.outputs[0];
    if (const auto output = direct_output(target)) {
      read_packed(source);
      unpack(transfer, source.type, program.core, *output, source.layout);
      arrays->set_written(target, source.type);
    } else {
      tensors[target] = read_device_value(source);
    }
  }

  void read_packed(const ProgramValue& value) {
    transfer.resize(packed_size_bytes(value, program.core));
    take_turn();
    device.copy_out(transfer, arena->at(value.arena_offset_bytes));
  }

  Tensor read_device_value(const ProgramValue& value) {
    read_packed(value);
    return unpack(transfer, value.type, program.core, value.layout);
  }

  // Frees tensors that no later step reads.
  void release(size_t step) {
    for (ValueId input : program.steps[step].inputs) {
      if (last_use[input] == step) tensors[input] = Tensor();
    }
  }

  const Program program;
  Device& device;
  const HostExecutor host;
  std::optional<driver::DeviceAllocation> arena;
  std::vector<LayerReport> reports;    // by step: what is known before it runs
  std::vector<Stream> streams;         // in the order of their steps
  std::vector<Tensor> tensors;         // of host values, by id; empty before they are computed
  std::vector<size_t> last_use;        // by value: the last step that reads it
  std::optional<CallerArrays> arrays;  // of the current inference, if it has any
  bool is_observed = false;            // the current inference: every value needs its tensor
  std::vector<uint8_t> transfer;       // a packed tensor in transfer
  std::unique_lock<std::mutex> turn;   // no mutex: the device is not shared
  double wait_seconds = 0;             // of the current inference
};

// Ends the turn of an inference, also of one that fails.
struct Session::Turn {
  Impl& impl;
  ~Turn() { impl.end_turn(); }
};

Session::Session(const Program& program, Device& device, HostExecutor host, std::mutex* device_turn)
    : impl_(std::make_unique<Impl>(program, device, std::move(host), device_turn)) {}

Session::~Session() = default;

std::vector<Tensor> Session::run(const std::vector<Tensor>& inputs, InferenceReport* report) {
  impl_->set_inputs(inputs);
  run_steps(report);
  std::vector<Tensor> outputs;
  for (const ProgramOutput& output : impl_->program.outputs)
    outputs.push_back(impl_->tensors[output.value]);
  return outputs;
}

std::vector<TensorType> Session::run(std::span<const std::span<const uint8_t>> inputs,
                                     std::span<const std::span<uint8_t>> outputs,
                                     InferenceReport* report) {
  impl_->set_arrays(inputs, outputs);
  run_steps(report);
  std::vector<TensorType> types = impl_->arrays->copy_outputs(
      [this](ValueId value) -> const Tensor& { return impl_->tensor(value); });
  if (report != nullptr) report->copied_bytes = impl_->arrays->copied_bytes();
  return types;
}

void Session::run_steps(InferenceReport* report) {
  const Stopwatch whole;
  const Program& program = impl_->program;
  impl_->wait_seconds = 0;
  impl_->is_observed = static_cast<bool>(on_value);
  const Turn turn{*impl_};
  InferenceReport own;
  own.layers.reserve(program.steps.size());
  auto stream = impl_->streams.begin();
  for (size_t i = 0; i < program.steps.size();) {
    const bool starts = stream != impl_->streams.end() && i == stream->run.steps().first;
    const size_t end = starts ? run_stream(*stream++, own) : run_step(i, own);
    if (on_value) show(program.steps[end - 1].outputs[0]);
    for (; i < end; ++i) impl_->release(i);
  }
  own.wait_seconds = impl_->wait_seconds;
  own.host_seconds = whole.seconds() - own.device_seconds - own.wait_seconds;
  if (report != nullptr) *report = std::move(own);
}

// Each of the next two adds the steps' reports and returns the next step.
size_t Session::run_stream(Stream& stream, InferenceReport& report) {
  const StreamRun& run = stream.run;
  const size_t first_layer = report.layers.size();
  for (size_t i = run.steps().first; i < run.steps().end; ++i)
    report.layers.push_back(impl_->reports[i]);
  const std::span<LayerReport> layers = std::span(report.layers).subspan(first_layer);
  try {
    report.counters += impl_->run_stream(stream, layers, &report.device_seconds);
  } catch (const driver::DeviceFault& fault) {
    throw driver::DeviceFault(fault.fault, fault.instruction_index, fault.value,
                              run.layer_of(fault.instruction_index) + ": " + fault.what());
  } catch (const Error& error) {
    throw Error(error.code(), stream.request.name + ": " + error.what());
  }
  return run.steps().end;
}

size_t Session::run_step(size_t index, InferenceReport& report) {
  const ProgramStep& step = impl_->program.steps[index];
  const Stopwatch stopwatch;
  LayerReport& layer = report.layers.emplace_back(impl_->reports[index]);
  with_context(step.layer, [&] { impl_->run_step(step); });
  layer.seconds = stopwatch.seconds();
  return index + 1;
}

void Session::show(ValueId id) {
  const ProgramValue& value = impl_->program.values[id];
  on_value(value, value.on_device ? impl_->read_device_value(value) : impl_->tensors[id]);
}

}  // namespace vta
