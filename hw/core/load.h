// SPDX-License-Identifier: Apache-2.0
//
// Load: DRAM -> INP and WGT. load_request pops the tokens, checks the instruction and requests
// bursts. load_data writes the words, including the zeros of the padding, one beat or one padding
// word per cycle, and pushes the token. Faults are reported by load_data, because an earlier
// instruction may still be waiting.
#ifndef VTA_HW_CORE_LOAD_H_
#define VTA_HW_CORE_LOAD_H_

#include "hw/core/core.h"
#include "hw/core/memory_access.h"

namespace vta {
namespace core {

template <class P>
inline Fault check_load(const Command& command, uint64_t dram_size_bytes, bool has_extension) {
  const Fault reserved = check_reserved<P, isa::kMemory_opcode>(command, 0, has_extension);
  if (reserved.code != isa::kNoFault) return reserved;
  const bool wgt = get<P, isa::kMemory_memory>(command) == isa::kWgt;
  return check_access<P>(command, !wgt, wgt ? P::kWgtDepth : P::kInpDepth,
                         wgt ? Sizes<P>::kWgtBytes : Sizes<P>::kInpBytes, dram_size_bytes);
}

template <class P>
void Core<P>::load_request() {
  for (;;) {
    const Command command = load_queue.read();
    load_status.busy = true;
    load_status.index = command.index;
    if (get<P, isa::kMemory_pop_next>(command)) gemm_to_load.pop();
    const bool to_wgt = get<P, isa::kMemory_memory>(command) == isa::kWgt;
    const bool works = !is_load_carrier<P>(command);
    LoadPlan plan;
    plan.fault = no_fault();
    if (works) plan.fault = check_load<P>(command, dram_size_bytes, has_extension);
    plan.wgt = to_wgt;
    plan.push_next = get<P, isa::kMemory_push_next>(command) != 0;
    plan.sram_base = static_cast<uint16_t>(get<P, isa::kMemory_sram_base>(command));
    plan.y_size = works ? static_cast<uint16_t>(get<P, isa::kMemory_y_size>(command)) : 0;
    plan.x_size = works ? static_cast<uint16_t>(get<P, isa::kMemory_x_size>(command)) : 0;
    plan.y_pad_0 = works ? static_cast<uint8_t>(get<P, isa::kMemory_y_pad_0>(command)) : 0;
    plan.y_pad_1 = works ? static_cast<uint8_t>(get<P, isa::kMemory_y_pad_1>(command)) : 0;
    plan.x_pad_0 = works ? static_cast<uint8_t>(get<P, isa::kMemory_x_pad_0>(command)) : 0;
    plan.x_pad_1 = works ? static_cast<uint8_t>(get<P, isa::kMemory_x_pad_1>(command)) : 0;
    plan.index = command.index;
    load_plan.write(plan);
    if (plan.fault.code != isa::kNoFault) {
      load_status.busy = false;
      hls::halt();
    }
    if (works) {
      const uint32_t elem_bytes = to_wgt ? S::kWgtBytes : S::kInpBytes;
      const uint64_t bytes = moved_bytes<P>(command, elem_bytes);
      if (to_wgt) wgt_load_nbytes += bytes;
      if (!to_wgt) inp_load_nbytes += bytes;
      request_rows(load_port, rows_of<P>(command, elem_bytes, dram_base_bytes));
    }
    load_status.busy = false;
  }
}

template <class P>
void Core<P>::load_data() {
  for (;;) {
    const LoadPlan plan = load_plan.read();
    load_data_status.busy = true;
    load_data_status.index = plan.index;
    if (plan.fault.code != isa::kNoFault) {
      load_data_status.fault = static_cast<uint8_t>(plan.fault.code);
      load_data_status.value = plan.fault.value;
      hls::halt();
    }
    uint32_t element = plan.sram_base;
    HLS_NATIVE_ONLY(if (has_loaded(plan)) {} else)  // which replaces the loops below
    if (plan.wgt) {
      for (uint16_t y = 0; y < plan.y_size; ++y) {
        for (uint16_t x = 0; x < plan.x_size; ++x) {
          for (uint16_t beat = 0; beat < S::kWgtBeats; ++beat) {
            HLS_PIPELINE(1);
            hls::set_beat(wgt[element & (P::kWgtDepth - 1)], beat, load_port.read());
          }
          element++;
        }
      }
    } else {
      const uint32_t y_data = plan.y_pad_0 + plan.y_size, x_data = plan.x_pad_0 + plan.x_size;
      const uint32_t rows = y_data + plan.y_pad_1, columns = x_data + plan.x_pad_1;
      for (uint32_t y = 0; y < rows; ++y) {
        for (uint32_t x = 0; x < columns; ++x) {
          const bool pad = (y < plan.y_pad_0) | (y >= y_data) | (x < plan.x_pad_0) | (x >= x_data);
          const uint16_t beats = pad ? 1 : S::kInpBeats;
          for (uint16_t beat = 0; beat < beats; ++beat) {
            HLS_PIPELINE(1);
            InpWord<P>& word = inp[element & (P::kInpDepth - 1)];
            if (pad) {
              HLS_UNROLL
              for (uint32_t i = 0; i < S::kInpBeats; ++i) hls::set_beat(word, i, 0);
            } else {
              hls::set_beat(word, beat, load_port.read());
            }
          }
          element++;
        }
      }
    }
    if (plan.push_next) load_to_gemm.push();
    load_data_status.busy = false;
  }
}

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_LOAD_H_
