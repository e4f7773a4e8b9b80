// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/session.h"

#include <optional>
#include <utility>

#include "configs/core_fields.h"
#include "driver/device_allocation.h"
#include "runtime/base/error.h"
#include "runtime/base/stopwatch.h"
#include "runtime/program/macs.h"

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

const char* report_op(const ProgramStep& step) {
  switch (step.kind) {
    case ProgramStep::Kind::kPack:
      return "pack";
    case ProgramStep::Kind::kUnpack:
      return "unpack";
    default:
      return to_string(step.op);
  }
}

}  // namespace

struct Session::Impl {
  Impl(const Program& full, Device& used_device, HostExecutor used_host)
      : program(without_image(full)), device(used_device), host(std::move(used_host)) {
    require_same_hardware(program.core, device.describe().core);
    if (program.arena_bytes > 0) {  // else everything runs on the host
      arena.emplace(device, program.arena_bytes);
      device.copy_in(arena->at(0), full.arena_image);
    }
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

  void set_inputs(const std::vector<Tensor>& inputs) {
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

  // `device_seconds` counts the time inside Device::run.
  Counters run_step(const ProgramStep& step, double* device_seconds) {
    switch (step.kind) {
      case ProgramStep::Kind::kHost:
        run_host(step);
        return {};
      case ProgramStep::Kind::kPack:
        pack_value(step);
        return {};
      case ProgramStep::Kind::kUnpack: {
        const ValueId output = step.outputs[0];
        tensors[output] = read_device_value(program.values[step.inputs[0]]);
        return {};
      }
      case ProgramStep::Kind::kView:
        return {};  // the bytes are in place already
      case ProgramStep::Kind::kCore:
        break;
    }
    driver::RunRequest request;
    request.arena = arena->at(0);
    request.arena_bytes = program.arena_bytes;
    request.program_offset_bytes = step.stream_offset_bytes;
    request.num_instructions = step.num_instructions;
    request.name = step.layer;
    const Stopwatch stopwatch;
    const Counters counters = device.run(request);
    *device_seconds += stopwatch.seconds();
    return counters;
  }

  void run_host(const ProgramStep& step) {
    std::vector<Tensor> inputs;
    for (ValueId input : step.inputs) inputs.push_back(tensors[input]);
    tensors[step.outputs[0]] = host(step.op, step.attrs, inputs);
  }

  void pack_value(const ProgramStep& step) {
    const ProgramValue& target = program.values[step.outputs[0]];
    transfer.resize(packed_size_bytes(target.type, program.core));
    const Tensor& source = tensors[step.inputs[0]];
    if (has_operator(step)) {
      pack_unfolded(source, step.attrs, target.type, program.core, transfer);
    } else {
      pack(source, program.core, transfer);
    }
    device.copy_in(arena->at(target.arena_offset_bytes), transfer);
  }

  Tensor read_device_value(const ProgramValue& value) {
    transfer.resize(packed_size_bytes(value.type, program.core));
    device.copy_out(transfer, arena->at(value.arena_offset_bytes));
    return unpack(transfer, value.type, program.core);
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
  std::vector<Tensor> tensors;    // of host values, by id; empty before they are computed
  std::vector<size_t> last_use;   // by value: the last step that reads it
  std::vector<uint8_t> transfer;  // a packed tensor in transfer
};

Session::Session(const Program& program, Device& device, HostExecutor host)
    : impl_(std::make_unique<Impl>(program, device, std::move(host))) {}

Session::~Session() = default;

std::vector<Tensor> Session::run(const std::vector<Tensor>& inputs, InferenceReport* report) {
  const Stopwatch whole;
  const Program& program = impl_->program;
  impl_->set_inputs(inputs);
  InferenceReport own;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const ProgramStep& step = program.steps[i];
    const bool on_core =
        step.kind == ProgramStep::Kind::kCore || step.kind == ProgramStep::Kind::kView;
    LayerReport layer{step.layer, report_op(step),       on_core ? "core" : "host", {},
                      0,          macs_of(program, step)};
    const Stopwatch stopwatch;
    try {
      layer.counters = impl_->run_step(step, &own.device_seconds);
    } catch (const driver::DeviceFault& fault) {
      throw driver::DeviceFault(fault.fault, fault.instruction_index, fault.value,
                                step.layer + ": " + fault.what());
    } catch (const Error& error) {
      throw Error(error.code(), step.layer + ": " + error.what());
    }
    layer.seconds = stopwatch.seconds();
    if (step.kind == ProgramStep::Kind::kCore) own.counters += layer.counters;
    own.layers.push_back(std::move(layer));
    if (on_value) {
      const ProgramValue& value = program.values[step.outputs[0]];
      on_value(value,
               value.on_device ? impl_->read_device_value(value) : impl_->tensors[step.outputs[0]]);
    }
    impl_->release(i);
  }
  std::vector<Tensor> outputs;
  for (const ProgramOutput& output : program.outputs)
    outputs.push_back(impl_->tensors[output.value]);
  own.host_seconds = whole.seconds() - own.device_seconds;
  if (report != nullptr) *report = std::move(own);
  return outputs;
}

}  // namespace vta
