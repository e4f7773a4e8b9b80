// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/output_transfers.h"

namespace vta::lower {

std::vector<Transfer> output_transfers(const ConvPlan& plan, const OutputTile& tile,
                                       const isa::Instruction& first, DramAddress tensor,
                                       const CoreConfig& core) {
  const PixelTile& pixels = tile.pixels;
  const BlockTile& blocks = tile.blocks;
  const AxisTile &rows = pixels.rows.results, &columns = pixels.columns.results;
  const int64_t row = plan.shape.columns.num_results();
  const int64_t plane = plan.shape.rows.num_results() * row;
  const auto address = [&](int64_t block) {
    const int64_t element = (pixels.n * plan.shape.oc_blocks + blocks.oc + block) * plane +
                            rows.begin * row + columns.begin;
    return tensor + static_cast<uint64_t>(element) * core.out_elem_bytes();
  };
  Transfer transfer{first, address(0)};
  isa::Instruction& fields = transfer.instruction;
  const int64_t num_results = pixels.num_results();
  if (num_results == plan.result_pitch && columns.size == row && plane <= kMaxExtent) {
    fields.y_size = u32(blocks.tco);
    fields.x_size = u32(num_results);
    fields.x_stride = u32(plane);
    return {transfer};
  }
  if (row > kMaxExtent && rows.size > 1) {
    fail(ErrorCode::kUnsupported, "rows of {} pixels are longer than a STORE's stride of {}", row,
         kMaxExtent);
  }
  fields.y_size = u32(rows.size);
  fields.x_size = u32(columns.size);
  fields.x_stride = u32(rows.size > 1 ? row : columns.size);
  std::vector<Transfer> transfers;
  for (int64_t block = 0; block < blocks.tco; ++block) {
    fields.sram_base = first.sram_base + u32(block * plan.result_pitch);
    transfer.address = address(block);
    transfers.push_back(transfer);
  }
  return transfers;
}

}  // namespace vta::lower
