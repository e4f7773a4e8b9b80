// SPDX-License-Identifier: Apache-2.0
//
// The parameters of the core's templates (types.h), for one configuration.
#ifndef VTA_HW_CORE_PARAMS_H_
#define VTA_HW_CORE_PARAMS_H_

#include "configs/core_sizes.h"

namespace vta {
namespace core {

// `Config` has a static constexpr CoreSizes kSizes.
template <class Config>
struct Params {
  static constexpr uint32_t kBatch = Config::kSizes.batch;
  static constexpr uint32_t kBlockIn = Config::kSizes.block_in;
  static constexpr uint32_t kBlockOut = Config::kSizes.block_out;
  static constexpr uint32_t kUopBytes = Config::kSizes.uop_elem_bytes();
  static constexpr uint32_t kInpBytes = Config::kSizes.inp_elem_bytes();
  static constexpr uint32_t kWgtBytes = Config::kSizes.wgt_elem_bytes();
  static constexpr uint32_t kAccBytes = Config::kSizes.acc_elem_bytes();
  static constexpr uint32_t kOutBytes = Config::kSizes.out_elem_bytes();
  static constexpr uint32_t kUopDepth = Config::kSizes.uop_depth();
  static constexpr uint32_t kInpDepth = Config::kSizes.inp_depth();
  static constexpr uint32_t kWgtDepth = Config::kSizes.wgt_depth();
  static constexpr uint32_t kAccDepth = Config::kSizes.acc_depth();
  static constexpr uint32_t kPixels = Config::kSizes.pixels;
  static constexpr uint32_t kAluLanes = Config::kSizes.alu_lanes();
  static constexpr uint32_t kCommandDepth = Config::kSizes.command_queue_depth;
  static constexpr uint32_t kTokenDepth = Config::kSizes.token_queue_depth;
};

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_PARAMS_H_
