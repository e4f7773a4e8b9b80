// SPDX-License-Identifier: Apache-2.0
//
// What the handles of vta.h point to.
#ifndef VTA_TOOLS_C_API_HANDLES_H_
#define VTA_TOOLS_C_API_HANDLES_H_

#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "driver/device.h"
#include "runtime/program/program.h"
#include "runtime/tensor/tensor.h"
#include "tools/c_api/vta.h"

namespace vta::c_api {

// Points into `name` and `type`.
vta_tensor_info tensor_info(const std::string& name, const TensorType& type);

// Tensor infos that own what they point to.
class TensorInfos {
 public:
  explicit TensorInfos(const std::vector<vta_tensor_info>& infos);
  // `types` with the names of `infos`.
  TensorInfos(const TensorInfos& infos, const std::vector<TensorType>& types);
  operator std::span<const vta_tensor_info>() const { return infos_; }  // NOLINT: a view
  const vta_tensor_info* at(size_t index) const {                       // nullptr beyond the last
    return index < infos_.size() ? &infos_[index] : nullptr;
  }

 private:
  std::deque<std::string> names_;
  std::deque<TensorType> types_;
  std::vector<vta_tensor_info> infos_;
};

// The type that `info` describes.
TensorType type_of(const vta_tensor_info& info);

// Tensors with the contents of the caller's buffers.
// Errors: kInvalidArgument for a wrong number or size of buffers, naming the value.
std::vector<Tensor> input_tensors(std::span<const vta_tensor_info> infos, const vta_buffer* buffers,
                                  size_t count);
// Checks buffers without using them; same errors.
void check_buffers(const char* noun, std::span<const vta_tensor_info> infos,
                   const vta_buffer* buffers, size_t count);
// Errors: kInvalidArgument for a NaN in a floating-point input, which int8 does not have. Infinity
// clips, and masks of products have it. Of checked buffers.
void refuse_nan(std::span<const vta_tensor_info> infos, const vta_buffer* buffers);
// Copies tensors into checked buffers, of which they may fill the first bytes only.
void copy_outputs(const std::vector<Tensor>& tensors, const vta_buffer* buffers);

// A device and its users: it is closed after the last of them.
struct SharedDevice {
  std::mutex turn;  // held while the device is used
  std::unique_ptr<driver::Device> device;
};

}  // namespace vta::c_api

struct vta_program {
  // `own_folder`: of the sample and the labels. `images`: those that chose the scales, "" if
  // unknown.
  vta_program(vta::Program compiled, std::filesystem::path own_folder, std::string images);

  const vta::Program program;
  const std::filesystem::path folder;
  const std::string calibration;
  std::vector<vta_tensor_info> inputs, outputs;
  std::vector<std::string> shapes;  // of the layers
  std::vector<vta_layer_info> layers;
  vta_program_info info{};

  // Reads them from the file that the network names, once. Empty without such a file.
  const std::vector<std::string>& labels() const;

 private:
  mutable std::once_flag labels_read_;
  mutable std::vector<std::string> labels_;
};

struct vta_device {
  std::shared_ptr<vta::c_api::SharedDevice> shared;
  vta::driver::DeviceDescription description;
  vta_device_info info{};
};

#endif  // VTA_TOOLS_C_API_HANDLES_H_
