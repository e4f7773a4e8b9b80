// SPDX-License-Identifier: Apache-2.0
//
// CoreSizes: the numbers of a core that can vary (core_fields.def), and the sizes that follow from
// them. The only place that computes an element's bytes or a scratchpad's depth. Constant
// expressions of C++14 without the standard library, because hw/core is compiled from them.
#ifndef VTA_CONFIGS_CORE_SIZES_H_
#define VTA_CONFIGS_CORE_SIZES_H_

#include <cstdint>

namespace vta {

struct CoreSizes {
#define VTA_CORE_FIELD(key, max, power_of_two, meaning) uint32_t key = 0;
#define VTA_CORE_OPTION(key, max, power_of_two, meaning) uint32_t key = 1;
#include "configs/core_fields.def"

  // Bytes of one element in its scratchpad (OUT and INP: int8, ACC: int32).
  constexpr uint32_t uop_elem_bytes() const { return 4; }
  constexpr uint32_t inp_elem_bytes() const { return batch * block_in; }
  constexpr uint32_t wgt_elem_bytes() const { return block_out * block_in; }
  constexpr uint32_t acc_elem_bytes() const { return batch * block_out * 4; }
  constexpr uint32_t out_elem_bytes() const { return batch * block_out; }

  // Numbers of an ACC or OUT element, and how many of them the ALU computes in a cycle.
  constexpr uint32_t lanes() const { return batch * block_out; }
  constexpr uint32_t alu_lanes() const { return lanes() / alu_folding; }

  // Multiply-accumulates of GEMM in a cycle, at most.
  constexpr uint32_t macs() const { return lanes() * block_in * pixels; }

  // Elements of each scratchpad. OUT mirrors ACC.
  constexpr uint32_t uop_depth() const { return uop_buffer_bytes / uop_elem_bytes(); }
  constexpr uint32_t inp_depth() const { return inp_buffer_bytes / inp_elem_bytes(); }
  constexpr uint32_t wgt_depth() const { return wgt_buffer_bytes / wgt_elem_bytes(); }
  constexpr uint32_t acc_depth() const { return acc_buffer_bytes / acc_elem_bytes(); }
};

}  // namespace vta

#endif  // VTA_CONFIGS_CORE_SIZES_H_
