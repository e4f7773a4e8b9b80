// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "tools/c_api/handles.h"

static_assert(static_cast<int>(vta::DType::kFloat32) == VTA_FLOAT32 &&
                  static_cast<int>(vta::DType::kInt8) == VTA_INT8 &&
                  static_cast<int>(vta::DType::kInt32) == VTA_INT32,
              "vta_dtype has the numbers of DType");

namespace vta::c_api {

TensorType type_of(const vta_tensor_info& info) {
  return {static_cast<DType>(info.dtype), {info.shape, info.shape + info.rank}};
}

TensorInfos::TensorInfos(const std::vector<vta_tensor_info>& infos) {
  for (const vta_tensor_info& info : infos) {
    const std::string& name = names_.emplace_back(info.name);
    infos_.push_back(tensor_info(name, types_.emplace_back(type_of(info))));
  }
}

TensorInfos::TensorInfos(const TensorInfos& infos, const std::vector<TensorType>& types)
    : names_(infos.names_) {
  for (size_t i = 0; i < types.size(); ++i)
    infos_.push_back(tensor_info(names_[i], types_.emplace_back(types[i])));
}

vta_tensor_info tensor_info(const std::string& name, const TensorType& type) {
  return {name.c_str(), static_cast<int32_t>(type.dtype), static_cast<uint32_t>(type.shape.size()),
          type.shape.data(), type.num_bytes()};
}

void check_buffers(const char* noun, std::span<const vta_tensor_info> infos,
                   const vta_buffer* buffers, size_t count) {
  if (count != infos.size()) {
    fail(ErrorCode::kInvalidArgument, "expected {}, got {}", counted(infos.size(), noun), count);
  }
  if (count > 0 && buffers == nullptr) {
    fail(ErrorCode::kInvalidArgument, "the {}s are NULL", noun);
  }
  for (size_t i = 0; i < count; ++i) {
    if (buffers[i].num_bytes != infos[i].num_bytes) {
      fail(ErrorCode::kInvalidArgument, "{} {}: expected {} for {}, got {}", noun, infos[i].name,
           counted(infos[i].num_bytes, "byte"), to_string(type_of(infos[i])), buffers[i].num_bytes);
    }
    if (buffers[i].data == nullptr && buffers[i].num_bytes > 0) {
      fail(ErrorCode::kInvalidArgument, "{} {}: its data is NULL", noun, infos[i].name);
    }
  }
}

void refuse_nan(std::span<const vta_tensor_info> infos, const vta_buffer* buffers) {
  for (size_t i = 0; i < infos.size(); ++i) {
    if (type_of(infos[i]).dtype != DType::kFloat32) continue;
    const auto* const bytes = static_cast<const uint8_t*>(buffers[i].data);
    for (size_t at = 0; at + sizeof(float) <= buffers[i].num_bytes; at += sizeof(float)) {
      float value;
      std::memcpy(&value, bytes + at, sizeof(value));  // of any alignment
      if (!std::isnan(value)) continue;
      fail(ErrorCode::kInvalidArgument, "element {} of input {} is NaN, expected a number",
           at / sizeof(float), infos[i].name);
    }
  }
}

std::vector<Tensor> input_tensors(std::span<const vta_tensor_info> infos, const vta_buffer* buffers,
                                  size_t count) {
  check_buffers("input", infos, buffers, count);
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < count; ++i) {
    Tensor& tensor = tensors.emplace_back(type_of(infos[i]));
    std::memcpy(tensor.mutable_bytes().data(), buffers[i].data, buffers[i].num_bytes);
  }
  return tensors;
}

void copy_outputs(const std::vector<Tensor>& tensors, const vta_buffer* buffers) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::ranges::copy(tensors[i].bytes(), static_cast<uint8_t*>(buffers[i].data));
  }
}

}  // namespace vta::c_api
