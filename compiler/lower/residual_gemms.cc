// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/residual_gemms.h"

#include <utility>

#include "compiler/lower/output_transfers.h"
#include "compiler/lower/tiling_sizes.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {

void ResidualGemms::multiply(const OutputTile& tile) {
  StreamBuilder& stream = context_.stream();
  const CoreConfig& core = context_.core;
  const uint32_t diagonal = core.wgt_depth() - 1;
  if (!std::exchange(has_diagonal_, true))
    stream.add(load_of_run(isa::kWgt, diagonal, 1), context_.diagonal(shift_));
  const int64_t reserved = residual_inp_elems(plan_.tiling);
  isa::Instruction load;
  load.opcode = isa::kLoad;
  load.memory = isa::kInp;
  load.sram_base = core.inp_depth() - u32(tile.half() == 0 ? reserved : reserved / 2);
  for (const Transfer& transfer : output_transfers(plan_, tile, load, operand_, core))
    stream.add(transfer.instruction, transfer.address);

  const int64_t pixels = tile.pixels.num_results(), blocks = tile.blocks.tco;
  isa::Instruction gemm;
  gemm.opcode = isa::kGemm;
  gemm.reset = 1;  // overwrites
  gemm.uop_bgn = context_.place_kernel(
      {isa::encode(isa::Uop{acc_.residual(tile.half()), load.sram_base, diagonal}, core)});
  gemm.uop_end = gemm.uop_bgn + 1;
  gemm.iter_out = u32(blocks);
  gemm.iter_in = u32(pixels);
  if (blocks > 1) gemm.dst_factor_out = gemm.src_factor_out = u32(plan_.result_pitch);
  if (pixels > 1) gemm.dst_factor_in = gemm.src_factor_in = 1;
  stream.add(gemm);
}

}  // namespace vta::lower
