// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/part_kernel.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <utility>

#include "base/errors/error.h"
#include "tools/onnxruntime_ep/elements.h"
#include "tools/onnxruntime_ep/profiler.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {
namespace {

// The place of each port's name in `names`.
std::vector<size_t> places(const std::vector<Port>& ports, const std::vector<std::string>& names,
                           const char* noun) {
  std::vector<size_t> found;
  for (const Port& port : ports) {
    const auto name = std::ranges::find(names, port.name);
    if (name == names.end())
      fail(ErrorCode::kInvalidArgument, "the fused node has no {} '{}'", noun, port.name);
    found.push_back(static_cast<size_t>(name - names.begin()));
  }
  return found;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

// The number of rows of an input; 1 if it has a fixed shape. Errors: kInvalidArgument for another
// shape.
size_t num_rows(const Port& port, const std::vector<int64_t>& shape) {
  std::vector<int64_t> expected = port.shape;
  if (port.has_open_rows && !shape.empty()) expected[0] = shape[0];
  if (shape != expected) {
    fail(ErrorCode::kInvalidArgument, "input '{}' is {}, expected {}", port.name, shape_text(shape),
         shape_text(port.shape));
  }
  return port.has_open_rows ? static_cast<size_t>(shape[0]) : 1;
}

}  // namespace

// All rows of the model's values.
struct PartKernel::Rows {
  size_t count = 1;
  std::vector<uint8_t*> inputs, outputs;
};

PartKernel::PartKernel(const OrtEp& provider, std::shared_ptr<const CompiledPart> part,
                       vta_device* device, std::string name, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs)
    : OrtNodeComputeInfo{},
      provider_(provider),
      part_(std::move(part)),
      name_(std::move(name)),
      input_of_(places(part_->inputs, inputs, "input")),
      output_of_(places(part_->outputs, outputs, "output")) {
  vta_session* session = nullptr;
  check(vta_session_open(part_->program.get(), device, &session));
  session_.reset(session);
  ort_version_supported = ORT_API_VERSION;
  CreateState = [](OrtNodeComputeInfo* self, OrtNodeComputeContext*, void** state) -> OrtStatus* {
    *state = self;
    return nullptr;
  };
  Compute = [](OrtNodeComputeInfo*, void* state, OrtKernelContext* context) {
    return guarded([&] {
      static_cast<const PartKernel*>(static_cast<OrtNodeComputeInfo*>(state))
          ->run(Ort::KernelContext(context));
    });
  };
  ReleaseState = [](OrtNodeComputeInfo*, void*) {};
}

PartKernel::Rows PartKernel::rows_of(const Ort::KernelContext& context) const {
  Rows rows;
  const Port* first = nullptr;  // with open rows
  for (size_t i = 0; i < part_->inputs.size(); ++i) {
    const Port& port = part_->inputs[i];
    const Ort::ConstValue value = context.GetInput(input_of_[i]);
    const size_t count = num_rows(port, value.GetTensorTypeAndShapeInfo().GetShape());
    if (first != nullptr && port.has_open_rows && count != rows.count) {
      fail(ErrorCode::kInvalidArgument, "input '{}' has {} rows, '{}' has {}", port.name, count,
           first->name, rows.count);
    }
    if (port.has_open_rows) {
      first = &port;
      rows.count = count;
    }
    // libvta does not write to inputs.
    rows.inputs.push_back(
        const_cast<uint8_t*>(static_cast<const uint8_t*>(value.GetTensorRawData())));
  }
  for (size_t i = 0; i < part_->outputs.size(); ++i) {
    const Port& port = part_->outputs[i];
    std::vector<int64_t> shape = port.shape;
    if (port.has_open_rows) shape[0] = static_cast<int64_t>(rows.count);
    Ort::UnownedValue value = context.GetOutput(output_of_[i], shape);
    rows.outputs.push_back(static_cast<uint8_t*>(value.GetTensorMutableRawData()));
  }
  return rows;
}

void PartKernel::run(const Ort::KernelContext& context) const {
  const Rows rows = rows_of(context);
  for (size_t first = 0; first < rows.count; first += part_->group)
    run(rows, first, std::min(part_->group, rows.count - first));
}

// The values of one run: the caller's memory, or a copy of what has another type or fewer rows.
class PartKernel::Run {
 public:
  Run(size_t group, size_t first, size_t count) : group_(group), first_(first), count_(count) {}

  vta_buffer input(const Port& port, uint8_t* tensor) {
    if (is_whole(port)) return {at(port, tensor), num_bytes(port)};
    const vta_buffer copy = copy_of(port);
    const size_t row_bytes = num_bytes(port) / group_;
    for (size_t row = 0; row < group_; ++row) {  // the last row fills the group
      const uint8_t* const from = at(port, tensor, std::min(row, num_rows(port) - 1));
      auto* const to = static_cast<uint8_t*>(copy.data) + row * row_bytes;
      if (is_direct(port.type, port.dtype)) {
        std::memcpy(to, from, row_bytes);
      } else {
        to_float(port.type, from, port.num_elems, reinterpret_cast<float*>(to));
      }
    }
    return copy;
  }

  vta_buffer output(const Port& port, uint8_t* tensor) {
    if (is_whole(port)) return {at(port, tensor), num_bytes(port)};
    return copy_of(port);
  }

  // After the run, of a buffer of output().
  void copy_back(const Port& port, const vta_buffer& buffer, uint8_t* tensor) const {
    if (is_whole(port)) return;
    const size_t num_elems = num_rows(port) * port.num_elems;
    if (is_direct(port.type, port.dtype)) {
      std::memcpy(at(port, tensor), buffer.data, num_elems * bytes_per_elem(port.dtype));
    } else {
      from_float(port.type, static_cast<const float*>(buffer.data), num_elems, at(port, tensor));
    }
  }

 private:
  size_t num_rows(const Port& port) const { return port.has_open_rows ? count_ : 1; }
  bool is_whole(const Port& port) const {
    return is_direct(port.type, port.dtype) && num_rows(port) == group_;
  }
  size_t num_bytes(const Port& port) const {
    return group_ * port.num_elems * bytes_per_elem(port.dtype);
  }
  uint8_t* at(const Port& port, uint8_t* tensor, size_t row = 0) const {
    const size_t index = row + (port.has_open_rows ? first_ : 0);
    return tensor + index * port.num_elems * bytes_per_elem(port.type);
  }
  vta_buffer copy_of(const Port& port) {
    std::vector<float>& copy = copies_.emplace_back(group_ * port.num_elems);  // or fewer bytes
    return {copy.data(), num_bytes(port)};
  }

  const size_t group_, first_, count_;
  std::deque<std::vector<float>> copies_;
};

void PartKernel::run(const Rows& rows, size_t first, size_t count) const {
  Run run(part_->group, first, count);
  std::vector<vta_buffer> inputs, outputs;
  for (size_t i = 0; i < part_->inputs.size(); ++i)
    inputs.push_back(run.input(part_->inputs[i], rows.inputs[i]));
  for (size_t i = 0; i < part_->outputs.size(); ++i)
    outputs.push_back(run.output(part_->outputs[i], rows.outputs[i]));
  const auto start = std::chrono::steady_clock::now();
  vta_report* report = nullptr;
  check(vta_session_run(session_.get(), inputs.data(), inputs.size(), outputs.data(),
                        outputs.size(), nullptr, is_profiled(provider_) ? &report : nullptr));
  if (const Report owned{report}) add_to_profiles(provider_, name_, start, *owned);
  for (size_t i = 0; i < part_->outputs.size(); ++i)
    run.copy_back(part_->outputs[i], outputs[i], rows.outputs[i]);
}

}  // namespace vta::onnxruntime_ep
