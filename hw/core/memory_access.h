// SPDX-License-Identifier: Apache-2.0
//
// Shared by LOAD and STORE: the checks before their first effect, and splitting rows into bursts.
#ifndef VTA_HW_CORE_MEMORY_ACCESS_H_
#define VTA_HW_CORE_MEMORY_ACCESS_H_

#include "hw/core/types.h"

namespace vta {
namespace core {

inline Fault no_fault() { return Fault{isa::kNoFault, 0}; }

// The index of the lowest set bit; `bits` is not 0.
inline uint64_t lowest_bit(uint64_t bits) { return static_cast<uint64_t>(__builtin_ctzll(bits)); }

// A fault if a bit of the instruction is set that is in no field and not in `split_bit`, the split
// bit's mask (0 if the instruction has none). Without the extension such bits are ignored: VTA's
// runtime leaves them as they are.
template <class P, int first_field>
inline Fault check_reserved(const Command& command, uint64_t split_bit, bool has_extension) {
  constexpr uint64_t used_lo = isa::used_bits(first_field, 0, Sizes<P>::widths());
  constexpr uint64_t used_hi = isa::used_bits(first_field, 1, Sizes<P>::widths());
  const uint64_t lo = command.lo & ~used_lo & ~split_bit;
  const uint64_t hi = command.hi & ~used_hi;
  if (has_extension & (lo != 0)) return Fault{isa::kReservedBits, lowest_bit(lo)};
  if (has_extension & (hi != 0)) return Fault{isa::kReservedBits, 64 + lowest_bit(hi)};
  return no_fault();
}

// `bit` is the SplitBit of the instruction's format.
inline bool is_split(const Command& command, int bit) { return ((command.lo >> bit) & 1) != 0; }

// The four pads together are the highest bits of word 1, those of rows before those of columns.
template <class P>
struct Pads {
  static constexpr int kLsb = Sizes<P>::field(isa::kMemory_y_pad_0).lsb;
  static constexpr uint64_t kRows =
      (uint64_t(1) << (Sizes<P>::field(isa::kMemory_x_pad_0).lsb - kLsb)) - 1;
};

template <class P>
inline bool has_padding(const Command& command) {
  return (command.hi >> Pads<P>::kLsb) != 0;
}

// An instruction without elements only carries its tokens.
template <class P>
inline bool is_store_carrier(const Command& command) {
  return (get<P, isa::kMemory_x_size>(command) == 0) | (get<P, isa::kMemory_y_size>(command) == 0);
}

// A LOAD without rows in DRAM still fills the rows of its padding.
template <class P>
inline bool is_load_carrier(const Command& command) {
  const bool pads_rows = ((command.hi >> Pads<P>::kLsb) & Pads<P>::kRows) != 0;
  return (get<P, isa::kMemory_x_size>(command) == 0) |
         ((get<P, isa::kMemory_y_size>(command) == 0) & !pads_rows);
}

// Scratchpad elements of a LOAD, padding included.
template <class P>
inline uint64_t scratchpad_elems(const Command& command) {
  // Pads are added first: hlsc then derives that the sums have 17 bits.
  const uint64_t rows =
      get<P, isa::kMemory_y_size>(command) +
      (get<P, isa::kMemory_y_pad_0>(command) + get<P, isa::kMemory_y_pad_1>(command));
  const uint64_t columns =
      get<P, isa::kMemory_x_size>(command) +
      (get<P, isa::kMemory_x_pad_0>(command) + get<P, isa::kMemory_x_pad_1>(command));
  return rows * columns;
}

// Checks padding, scratchpad range and DRAM range, in this order; not for carriers. The stride is
// not negative, so the last row ends highest. Without rows, nothing in DRAM is accessed.
template <class P>
inline Fault check_access(const Command& command, bool may_pad, uint32_t depth, uint32_t elem_bytes,
                          uint64_t dram_size_bytes) {
  if (!may_pad & has_padding<P>(command))
    return Fault{isa::kIllegalPadding, command.hi >> Pads<P>::kLsb};
  const uint64_t sram_end = get<P, isa::kMemory_sram_base>(command) + scratchpad_elems<P>(command);
  if (sram_end > depth) return Fault{isa::kScratchpadRange, sram_end};
  const bool has_rows = get<P, isa::kMemory_y_size>(command) != 0;
  const uint64_t last_row = static_cast<uint16_t>(get<P, isa::kMemory_y_size>(command) - 1);
  const uint64_t dram_end =
      (get<P, isa::kMemory_dram_base>(command) + last_row * get<P, isa::kMemory_x_stride>(command) +
       get<P, isa::kMemory_x_size>(command)) *
      elem_bytes;
  if (has_rows & (dram_end > dram_size_bytes)) return Fault{isa::kDramRange, dram_end};
  return no_fault();
}

// Bytes transferred between DRAM and scratchpad.
template <class P>
inline uint64_t moved_bytes(const Command& command, uint32_t elem_bytes) {
  return static_cast<uint64_t>(get<P, isa::kMemory_y_size>(command)) *
         get<P, isa::kMemory_x_size>(command) * elem_bytes;
}

template <class P>
inline RowPlan rows_of(const Command& command, uint32_t elem_bytes, uint32_t dram_base_bytes) {
  RowPlan plan;
  plan.address = dram_base_bytes + get<P, isa::kMemory_dram_base>(command) * elem_bytes;
  plan.row_bytes = get<P, isa::kMemory_x_size>(command) * elem_bytes;
  plan.stride_bytes = get<P, isa::kMemory_x_stride>(command) * elem_bytes;
  plan.rows = static_cast<uint16_t>(get<P, isa::kMemory_y_size>(command));
  return plan;
}

// Requests the bursts of all rows, of one byte at least: one burst for each block of kBurstBytes
// that a row touches. So the bursts of a row are counted and measured by its first and last byte,
// and no burst is computed from the one before it.
template <class Port>
inline void request_rows(Port& port, const RowPlan& plan) {
  constexpr uint32_t kMask = hls::kBurstBytes - 1;
  const uint32_t row_last = plan.row_bytes - 1;
  uint32_t row = plan.address;
  for (uint16_t y = 0; y < plan.rows; ++y) {
    uint32_t block = row & ~kMask;
    uint32_t begin = (row & kMask) / hls::kBeatBytes;
    uint32_t last = (row & kMask) + row_last;  // from `block` on
    bool more;
    do {
      HLS_PIPELINE(1);
      more = last > kMask;
      const uint32_t end = (more ? kMask : last) / hls::kBeatBytes + 1;
      port.request(block + begin * hls::kBeatBytes, end - begin);
      block += hls::kBurstBytes;
      begin = 0;
      last -= hls::kBurstBytes;
    } while (more);
    row += plan.stride_bytes;
  }
}

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_MEMORY_ACCESS_H_
