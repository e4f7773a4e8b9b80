// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/session.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/errors/counted.h"
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
using OnValue = std::function<void(const ProgramValue& value, const Tensor& tensor)>;

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

class Session::Impl {
 public:
  Impl(const Program& full, Device& used_device, HostExecutor used_host, std::mutex* device_turn)
      : program_(without_image(full)), device_(used_device), host_(std::move(used_host)) {
    if (device_turn != nullptr) turn_ = std::unique_lock(*device_turn, std::defer_lock);
    require_same_hardware(program_.core, device_.describe().core);
    if (program_.arena_bytes > 0) {  // else everything runs on the host
      arena_.emplace(device_, program_.arena_bytes);
      device_.copy_in(arena_->at(0), full.arena_image);
    }
    for (const ProgramStep& step : program_.steps) reports_.push_back(report_of(full, step));
    make_streams();
    tensors_.resize(program_.values.size());
    last_use_.assign(program_.values.size(), program_.steps.size());
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      for (ValueId input : program_.steps[i].inputs) last_use_[input] = i;
    }
    for (const ProgramOutput& output : program_.outputs)
      last_use_[output.value] = program_.steps.size();
    for (size_t id = 0; id < program_.values.size(); ++id) {
      if (program_.values[id].constant.empty()) continue;
      tensors_[id] = program_.values[id].constant;
      last_use_[id] = program_.steps.size();
    }
  }

  std::vector<Tensor> run(const std::vector<Tensor>& inputs, const OnValue& observer,
                          InferenceReport* report) {
    set_inputs(inputs);
    run_steps(observer, report);
    std::vector<Tensor> outputs;
    for (const ProgramOutput& output : program_.outputs) outputs.push_back(tensors_[output.value]);
    return outputs;
  }

  std::vector<TensorType> run(std::span<const std::span<const uint8_t>> inputs,
                              std::span<const std::span<uint8_t>> outputs, const OnValue& observer,
                              InferenceReport* report) {
    set_arrays(inputs, outputs);
    run_steps(observer, report);
    std::vector<TensorType> types =
        arrays_->copy_outputs([this](ValueId value) -> const Tensor& { return tensor(value); });
    if (report != nullptr) report->copied_bytes = arrays_->copied_bytes();
    return types;
  }

 private:
  // An instruction stream and the request that runs it.
  struct Stream {
    StreamRun run;
    driver::RunRequest request;
    std::vector<driver::PartEnd> ends;     // of the last run's parts
    std::optional<double> remote_seconds;  // of the last run
  };

  // Ends the turn of an inference, also of one that fails.
  struct Turn {
    Impl& impl;
    ~Turn() {
      if (impl.turn_.owns_lock()) impl.turn_.unlock();
    }
  };

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
    for (const StreamSteps steps : streams_of(program_)) {
      const StreamRun run(program_, steps);
      driver::RunRequest request = run.request();
      request.arena = arena_->at(0);
      request.arena_bytes = program_.arena_bytes;
      request.timeout *= static_cast<int64_t>(steps.end - steps.first);
      streams_.push_back({run, std::move(request), {}});
    }
  }

  void set_inputs(const std::vector<Tensor>& inputs) {
    arrays_.reset();
    if (inputs.size() != program_.inputs.size()) {
      fail(ErrorCode::kInvalidArgument, "expected {}, got {}",
           counted(program_.inputs.size(), "input"), inputs.size());
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ProgramValue& value = program_.values[program_.inputs[i].value];
      if (inputs[i].type() != value.type) {
        fail(ErrorCode::kInvalidArgument, "input {}: expected {}, got {}", value.name,
             to_string(value.type), to_string(inputs[i].type()));
      }
      tensors_[program_.inputs[i].value] = inputs[i];
    }
  }

  void set_arrays(std::span<const std::span<const uint8_t>> inputs,
                  std::span<const std::span<uint8_t>> outputs) {
    arrays_.emplace(program_, inputs, outputs);
    for (const ProgramInput& input : program_.inputs) tensors_[input.value] = Tensor();
  }

  // The tensor of a host value; makes that of an input in the caller's memory.
  const Tensor& tensor(ValueId id) {
    if (arrays_ && tensors_[id].empty()) tensors_[id] = arrays_->copy_of_input(id);
    return tensors_[id];
  }

  // The elements of a host value.
  std::span<const uint8_t> array(ValueId id) {
    if (arrays_ && tensors_[id].empty()) {
      if (const auto input = arrays_->input(id)) return *input;
    }
    return tensor(id).bytes();
  }

  // Waits until no other session uses the device.
  void take_turn() {
    if (turn_.mutex() == nullptr || turn_.owns_lock()) return;
    const Stopwatch stopwatch;
    turn_.lock();
    wait_seconds_ += stopwatch.seconds();
  }

  void run_steps(const OnValue& observer, InferenceReport* report) {
    const Stopwatch whole;
    wait_seconds_ = 0;
    is_observed_ = static_cast<bool>(observer);
    const Turn ends_turn{*this};
    InferenceReport own;
    own.layers.reserve(program_.steps.size());
    auto stream = streams_.begin();
    for (size_t i = 0; i < program_.steps.size();) {
      const bool starts = stream != streams_.end() && i == stream->run.steps().first;
      const size_t end = starts ? run_stream(*stream++, own) : run_step(i, own);
      if (observer) show(program_.steps[end - 1].outputs[0], observer);
      for (; i < end; ++i) release(i);
    }
    own.wait_seconds = wait_seconds_;
    own.host_seconds = whole.seconds() - own.device_seconds - own.wait_seconds;
    if (report != nullptr) *report = std::move(own);
  }

  // Each of the next two adds the steps' reports and returns the next step.
  size_t run_stream(Stream& stream, InferenceReport& report) {
    const StreamRun& run = stream.run;
    const size_t first_layer = report.layers.size();
    for (size_t i = run.steps().first; i < run.steps().end; ++i)
      report.layers.push_back(reports_[i]);
    const std::span<LayerReport> layers = std::span(report.layers).subspan(first_layer);
    try {
      report.counters += counters_of(stream, layers, &report.device_seconds);
    } catch (const driver::DeviceFault& fault) {
      throw driver::DeviceFault(fault.fault, fault.instruction_index, fault.value,
                                run.layer_of(fault.instruction_index) + ": " + fault.what());
    } catch (const Error& error) {
      throw Error(error.code(), stream.request.name + ": " + error.what());
    }
    return run.steps().end;
  }

  size_t run_step(size_t index, InferenceReport& report) {
    const ProgramStep& step = program_.steps[index];
    const Stopwatch stopwatch;
    LayerReport& layer = report.layers.emplace_back(reports_[index]);
    with_context(step.layer, [&] { execute(step); });
    layer.seconds = stopwatch.seconds();
    return index + 1;
  }

  void show(ValueId id, const OnValue& observer) {
    const ProgramValue& value = program_.values[id];
    observer(value, value.on_device ? read_device_value(value) : tensors_[id]);
  }

  // Runs a step that is not a stream.
  void execute(const ProgramStep& step) {
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

  // Runs a stream; `layers`: the reports of its steps, whose seconds include a connection. Returns
  // its counters and adds the device's seconds, which do not.
  Counters counters_of(Stream& stream, std::span<LayerReport> layers, double* device_seconds) {
    stream.ends.clear();
    stream.request.part_ends = layers.size() > 1 ? &stream.ends : nullptr;
    stream.remote_seconds.reset();
    stream.request.remote_seconds = &stream.remote_seconds;
    take_turn();
    const Stopwatch stopwatch;
    const Counters counters = device_.run(stream.request);
    const double seconds = stopwatch.seconds();
    StreamRun::report(counters, stream.ends, seconds, layers);
    *device_seconds += std::min(seconds, stream.remote_seconds.value_or(seconds));
    return counters;
  }

  void run_host(const ProgramStep& step) {
    if (turn_.owns_lock()) turn_.unlock();
    if (const auto numbers = direct_numbers(step)) {
      const ValueId target = step.outputs[0];
      dequantize_elements(tensor(step.inputs[0]), step.attrs, *numbers);
      return arrays_->set_written(target, program_.values[target].type);
    }
    std::vector<Tensor> inputs;
    for (ValueId input : step.inputs) inputs.push_back(tensor(input));
    Tensor result = host_(step.op, step.attrs, inputs);
    const TensorType& type = program_.values[step.outputs[0]].type;
    VTA_ASSERT(fits(result.type(), type), "a result is within the bounds of its value");
    tensors_[step.outputs[0]] = std::move(result);
  }

  // Where the caller wants the numbers of a step that dequantizes an output, as most programs do at
  // their end; nothing for other steps: results of the executor are tensors of their own.
  std::optional<std::span<float>> direct_numbers(const ProgramStep& step) const {
    if (step.op != OpKind::kDequantize || program_.values[step.outputs[0]].type.is_open())
      return std::nullopt;
    const auto output = direct_output(step.outputs[0]);
    if (!output || reinterpret_cast<uintptr_t>(output->data()) % sizeof(float) != 0)
      return std::nullopt;
    return std::span(reinterpret_cast<float*>(output->data()), output->size() / sizeof(float));
  }

  // The caller's array of an output, to be written at once.
  std::optional<std::span<uint8_t>> direct_output(ValueId value) const {
    if (!arrays_ || is_observed_) return std::nullopt;
    return arrays_->output(value);
  }

  void pack_value(const ProgramStep& step) {
    const ProgramValue& target = program_.values[step.outputs[0]];
    transfer_.resize(packed_size_bytes(target, program_.core));
    const TensorType& type = program_.values[step.inputs[0]].type;
    const std::span<const uint8_t> source = array(step.inputs[0]);
    if (has_operator(step)) {
      pack_unfolded(type, source, step.attrs, target.type, program_.core, transfer_);
    } else {
      pack(type, source, program_.core, transfer_, target.layout);
    }
    take_turn();
    device_.copy_in(arena_->at(target.arena_offset_bytes), transfer_);
  }

  void unpack_value(const ProgramStep& step) {
    const ProgramValue& source = program_.values[step.inputs[0]];
    const ValueId target = step.outputs[0];
    if (const auto output = direct_output(target)) {
      read_packed(source);
      unpack(transfer_, source.type, program_.core, *output, source.layout);
      arrays_->set_written(target, source.type);
    } else {
      tensors_[target] = read_device_value(source);
    }
  }

  void read_packed(const ProgramValue& value) {
    transfer_.resize(packed_size_bytes(value, program_.core));
    take_turn();
    device_.copy_out(transfer_, arena_->at(value.arena_offset_bytes));
  }

  Tensor read_device_value(const ProgramValue& value) {
    read_packed(value);
    return unpack(transfer_, value.type, program_.core, value.layout);
  }

  // Frees tensors that no later step reads.
  void release(size_t step) {
    for (ValueId input : program_.steps[step].inputs) {
      if (last_use_[input] == step) tensors_[input] = Tensor();
    }
  }

  const Program program_;
  Device& device_;
  const HostExecutor host_;
  std::optional<driver::DeviceAllocation> arena_;
  std::vector<LayerReport> reports_;    // by step: what is known before it runs
  std::vector<Stream> streams_;         // in the order of their steps
  std::vector<Tensor> tensors_;         // of host values, by id; empty before they are computed
  std::vector<size_t> last_use_;        // by value: the last step that reads it
  std::optional<CallerArrays> arrays_;  // of the current inference, if it has any
  bool is_observed_ = false;            // the current inference: every value needs its tensor
  std::vector<uint8_t> transfer_;       // a packed tensor in transfer
  std::unique_lock<std::mutex> turn_;   // no mutex: the device is not shared
  double wait_seconds_ = 0;             // of the current inference
};

Session::Session(const Program& program, Device& device, HostExecutor host, std::mutex* device_turn)
    : impl_(std::make_unique<Impl>(program, device, std::move(host), device_turn)) {}

Session::~Session() = default;

std::vector<Tensor> Session::run(const std::vector<Tensor>& inputs, InferenceReport* report) {
  return impl_->run(inputs, on_value, report);
}

std::vector<TensorType> Session::run(std::span<const std::span<const uint8_t>> inputs,
                                     std::span<const std::span<uint8_t>> outputs,
                                     InferenceReport* report) {
  return impl_->run(inputs, outputs, on_value, report);
}

}  // namespace vta
