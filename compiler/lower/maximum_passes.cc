// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/maximum_passes.h"

#include <vector>

#include "compiler/lower/maximum_counts.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

// The micro-ops of a tile, each group by tap, then block.
struct MaximumKernel {
  MaximumKernel(const WindowAxis& rows, const WindowAxis& columns, const MaximumTile& tile,
                const CoreConfig& core) {
    const int64_t width = columns.reach(tile.tw);
    const auto append = [&](int64_t first, int64_t pitch, int64_t ky, int64_t kx) {
      const int64_t tap = ky * rows.dilation * width + kx * columns.dilation;
      for (int64_t block = 0; block < tile.blocks; ++block) {
        const isa::Uop uop{u32(first + block * pitch),
                           u32(tile.input + block * tile.input_pitch + tap), 0};
        words.push_back(isa::encode(uop, core));
      }
    };
    const bool rows_first = computes_rows_first(rows, columns, tile.th);
    for (int64_t kx = 1; rows_first && kx < columns.kernel; ++kx)
      append(tile.input, tile.input_pitch, 0, kx);
    num_of_rows = u32(static_cast<int64_t>(words.size()));
    for (int64_t block = 0; block < tile.blocks; ++block) {
      const uint32_t result = u32(tile.results + block * tile.result_pitch);
      words.push_back(isa::encode(isa::Uop{result, result, 0}, core));
    }
    for (int64_t ky = 0; ky < rows.kernel; ++ky) {
      for (int64_t kx = 0; kx < (rows_first ? 1 : columns.kernel); ++kx)
        append(tile.results, tile.result_pitch, ky, kx);
    }
  }

  std::vector<uint32_t> words;
  uint32_t num_of_rows = 0;  // micro-ops of the maxima of rows, the first ones; those that clear
                             // results follow
};

uint32_t factor(int64_t iterations, int64_t elems) { return iterations > 1 ? u32(elems) : 0; }

}  // namespace

void add_maximum_passes(const WindowAxis& rows, const WindowAxis& columns, const MaximumTile& tile,
                        LayerContext& context) {
  const MaximumKernel kernel(rows, columns, tile, context.core);
  const uint32_t first = context.place_kernel(kernel.words);
  const uint32_t of_cleared = first + kernel.num_of_rows;
  const uint32_t of_results = of_cleared + u32(tile.blocks);
  const uint32_t of_other_taps = of_results + u32(tile.blocks);
  const uint32_t end = first + u32(static_cast<int64_t>(kernel.words.size()));
  const int64_t width = columns.reach(tile.tw);
  isa::Instruction alu;
  alu.opcode = isa::kAlu;
  alu.iter_in = u32(tile.tw);
  const auto add = [&](isa::AluOpcode opcode, uint32_t begin, uint32_t stop) {
    if (begin == stop) return;
    alu.alu_opcode = opcode;
    alu.uop_bgn = begin;
    alu.uop_end = stop;
    context.stream().add(alu);
  };
  // In place: the taps of an element are to its right, and not replaced yet.
  const int64_t input_rows = rows.reach(tile.th);
  alu.iter_out = u32(input_rows);
  alu.dst_factor_out = alu.src_factor_out = factor(input_rows, width);
  alu.dst_factor_in = alu.src_factor_in = factor(tile.tw, columns.stride);
  add(isa::kMax, first, of_cleared);
  alu.iter_out = u32(tile.th);
  alu.dst_factor_out = alu.src_factor_out = factor(tile.th, tile.tw);
  alu.dst_factor_in = alu.src_factor_in = factor(tile.tw, 1);
  alu.use_imm = 1;
  add(isa::kMul, of_cleared, of_results);
  alu.use_imm = 0;
  alu.src_factor_out = factor(tile.th, rows.stride * width);
  alu.src_factor_in = factor(tile.tw, columns.stride);
  add(isa::kAdd, of_results, of_other_taps);
  add(isa::kMax, of_other_taps, end);
}

}  // namespace vta::lower
