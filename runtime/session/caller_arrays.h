// SPDX-License-Identifier: Apache-2.0
//
// CallerArrays: the inputs and outputs of an inference in memory of the caller.
#ifndef VTA_RUNTIME_SESSION_CALLER_ARRAYS_H_
#define VTA_RUNTIME_SESSION_CALLER_ARRAYS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/program/program.h"

namespace vta {

class CallerArrays {
 public:
  // In the order of the program; they outlive the object.
  // Errors: kInvalidArgument for a wrong number or size.
  CallerArrays(const Program& program, std::span<const std::span<const uint8_t>> inputs,
               std::span<const std::span<uint8_t>> outputs);

  // The array of an input, if a step may read it there: its elements are aligned.
  std::optional<std::span<const uint8_t>> input(ValueId value) const;
  // A tensor with the elements of an input. A copy.
  Tensor copy_of_input(ValueId value);

  // The array of an output that no step reads, to be written at once; nothing for other values.
  std::optional<std::span<uint8_t>> output(ValueId value) const;
  // Tells that the array output(value) has been written, with elements of this type.
  void set_written(ValueId value, const TensorType& type);

  // Copies the outputs that have not been written: `tensor_of(value)` is their tensor. Returns the
  // types of all outputs.
  template <typename TensorOf>
  std::vector<TensorType> copy_outputs(TensorOf&& tensor_of) {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (!outputs_[i].type) copy_to(outputs_[i], tensor_of(outputs_[i].value));
    }
    return output_types();
  }

  uint64_t copied_bytes() const { return copied_bytes_; }

 private:
  struct Input {
    ValueId value;
    TensorType type;
    std::span<const uint8_t> array;
  };
  struct Output {
    ValueId value;
    bool is_direct;  // no step reads the value, and no other output is the same value
    std::span<uint8_t> array;
    std::optional<TensorType> type = std::nullopt;  // once it is written
  };
  const Input* find(ValueId value) const;
  void copy_to(Output& output, const Tensor& tensor);
  std::vector<TensorType> output_types() const;

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  uint64_t copied_bytes_ = 0;
};

}  // namespace vta

#endif  // VTA_RUNTIME_SESSION_CALLER_ARRAYS_H_
