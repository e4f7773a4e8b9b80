// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/caller_arrays.h"

#include <algorithm>
#include <string>

#include "base/errors/counted.h"
#include "base/errors/error.h"

namespace vta {
namespace {

void require(const std::string& name, const TensorType& type, size_t num_bytes) {
  if (num_bytes == type.num_bytes()) return;
  fail(ErrorCode::kInvalidArgument, "{}: expected {} for {}, got {}", name,
       counted(type.num_bytes(), "byte"), to_string(type), num_bytes);
}

void require_count(const char* noun, size_t expected, size_t count) {
  if (count == expected) return;
  fail(ErrorCode::kInvalidArgument, "expected {}, got {}", counted(expected, noun), count);
}

bool is_direct(const Program& program, ValueId value) {
  const bool is_read = std::ranges::any_of(program.steps, [&](const ProgramStep& step) {
    return std::ranges::find(step.inputs, value) != step.inputs.end();
  });
  return !is_read && std::ranges::count(program.outputs, value, &ProgramOutput::value) == 1;
}

}  // namespace

CallerArrays::CallerArrays(const Program& program, std::span<const std::span<const uint8_t>> inputs,
                           std::span<const std::span<uint8_t>> outputs) {
  require_count("input", program.inputs.size(), inputs.size());
  require_count("output", program.outputs.size(), outputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ProgramValue& value = program.values[program.inputs[i].value];
    require("input " + value.name, value.type, inputs[i].size());
    inputs_.push_back({program.inputs[i].value, value.type, inputs[i]});
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ValueId value = program.outputs[i].value;
    require("output " + output_name(program, i), program.values[value].type, outputs[i].size());
    outputs_.push_back({value, is_direct(program, value), outputs[i]});
  }
}

const CallerArrays::Input* CallerArrays::find(ValueId value) const {
  const auto found = std::ranges::find(inputs_, value, &Input::value);
  return found == inputs_.end() ? nullptr : &*found;
}

std::optional<std::span<const uint8_t>> CallerArrays::input(ValueId value) const {
  const Input* const input = find(value);
  if (input == nullptr ||
      reinterpret_cast<uintptr_t>(input->array.data()) % size_bytes(input->type.dtype) != 0) {
    return std::nullopt;
  }
  return input->array;
}

Tensor CallerArrays::copy_of_input(ValueId value) {
  const Input* const input = find(value);
  VTA_ASSERT(input != nullptr, "an input of the program");
  Tensor tensor(input->type);
  std::ranges::copy(input->array, tensor.mutable_bytes().begin());
  copied_bytes_ += input->array.size();
  return tensor;
}

std::optional<std::span<uint8_t>> CallerArrays::output(ValueId value) const {
  const auto found = std::ranges::find(outputs_, value, &Output::value);
  if (found == outputs_.end() || !found->is_direct) return std::nullopt;
  return found->array;
}

void CallerArrays::set_written(ValueId value, const TensorType& type) {
  std::ranges::find(outputs_, value, &Output::value)->type = type;
}

void CallerArrays::copy_to(Output& output, const Tensor& tensor) {
  std::ranges::copy(tensor.bytes(), output.array.begin());
  copied_bytes_ += tensor.bytes().size();
  output.type = tensor.type();
}

std::vector<TensorType> CallerArrays::output_types() const {
  std::vector<TensorType> types;
  for (const Output& output : outputs_) types.push_back(*output.type);
  return types;
}

}  // namespace vta
