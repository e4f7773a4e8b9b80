// SPDX-License-Identifier: Apache-2.0
//
// Packing of arrays that are not tensors, as memory of the caller: dense and row-major, of type
// `type`. program.h has the same functions for tensors, and the layouts.
#ifndef VTA_RUNTIME_PROGRAM_PACKING_H_
#define VTA_RUNTIME_PROGRAM_PACKING_H_

#include <cstdint>
#include <span>

#include "configs/core_config.h"
#include "runtime/program/program.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta {

void pack(const TensorType& type, std::span<const uint8_t> array, const CoreConfig& core,
          std::span<uint8_t> packed, Layout layout);
void unpack(std::span<const uint8_t> packed, const TensorType& type, const CoreConfig& core,
            std::span<uint8_t> array, Layout layout);
// `type`: of the array; `unfolded`: of what is packed.
void pack_unfolded(const TensorType& type, std::span<const uint8_t> array,
                   const Attrs<OpKind::kUnfold2d>& unfold, const TensorType& unfolded,
                   const CoreConfig& core, std::span<uint8_t> packed);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_PACKING_H_
