// SPDX-License-Identifier: Apache-2.0
//
// Store: OUT -> DRAM. store_read pops the tokens, checks the instruction and reads the words;
// store_write sends the bursts, pushes the token after the last write response, and reports faults.
#ifndef VTA_HW_CORE_STORE_H_
#define VTA_HW_CORE_STORE_H_

#include "hw/core/core.h"
#include "hw/core/memory_access.h"

namespace vta {
namespace core {

template <class P>
inline Fault check_store(const Command& command, uint64_t dram_size_bytes, bool has_extension) {
  const Fault reserved = check_reserved<P, isa::kMemory_opcode>(command, 0, has_extension);
  if (reserved.code != isa::kNoFault) return reserved;
  const uint32_t memory = get<P, isa::kMemory_memory>(command);
  if (memory != isa::kOut) return Fault{isa::kIllegalMemory, memory};
  return check_access<P>(command, false, P::kAccDepth, Sizes<P>::kOutBytes, dram_size_bytes);
}

template <class P>
void Core<P>::store_read() {
  for (;;) {
    const Command command = store_queue.read();
    store_status.busy = true;
    store_status.index = command.index;
    if (get<P, isa::kMemory_pop_prev>(command)) alu_to_store.pop();
    const bool works = !is_store_carrier<P>(command);
    StorePlan plan;
    plan.fault = no_fault();
    if (works) plan.fault = check_store<P>(command, dram_size_bytes, has_extension);
    plan.rows = rows_of<P>(command, S::kOutBytes, dram_base_bytes);
    if (!works) plan.rows.rows = 0;
    plan.push_prev = get<P, isa::kMemory_push_prev>(command) != 0;
    plan.index = command.index;
    store_plan.write(plan);
    if (plan.fault.code != isa::kNoFault) {
      store_status.busy = false;
      hls::halt();
    }
    const uint16_t columns = static_cast<uint16_t>(get<P, isa::kMemory_x_size>(command));
    uint32_t element = get<P, isa::kMemory_sram_base>(command);
    HLS_NATIVE_ONLY(if (!has_read(command, plan)))
    for (uint16_t y = 0; y < plan.rows.rows; ++y) {
      for (uint16_t x = 0; x < columns; ++x) {
        for (uint16_t beat = 0; beat < S::kOutBeats; ++beat) {
          HLS_PIPELINE(1);
          store_beats.write(hls::get_beat(out[element & (P::kAccDepth - 1)], beat));
        }
        element++;
      }
    }
    store_status.busy = false;
  }
}

template <class P>
void Core<P>::store_write() {
  for (;;) {
    const StorePlan plan = store_plan.read();
    store_write_status.busy = true;
    store_write_status.index = plan.index;
    if (plan.fault.code != isa::kNoFault) {
      store_write_status.fault = static_cast<uint8_t>(plan.fault.code);
      store_write_status.value = plan.fault.value;
      hls::halt();
    }
    uint32_t row = plan.rows.address;
    HLS_NATIVE_ONLY(if (!has_sent(plan)))
    for (uint16_t y = 0; y < plan.rows.rows; ++y) {
      uint32_t address = row;
      const uint32_t beats = plan.rows.row_bytes / hls::kBeatBytes;
      for (uint32_t left = beats; left != 0; --left) {
        HLS_PIPELINE(1);
        if ((left == beats) | (address % hls::kBurstBytes == 0))
          store_port.request(address, hls::burst_beats(address, left));
        const uint64_t beat = store_beats.read();
        HLS_NATIVE_ONLY(if (observer != nullptr) observer->beat_stored(plan.index, address, beat);)
        store_port.write(beat);
        address += hls::kBeatBytes;
      }
      row += plan.rows.stride_bytes;
    }
    store_port.wait_responses();
    out_store_nbytes += static_cast<uint64_t>(plan.rows.rows) * plan.rows.row_bytes;
    if (plan.push_prev) store_to_alu.push();
    store_write_status.busy = false;
  }
}

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_STORE_H_
