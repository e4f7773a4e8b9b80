// SPDX-License-Identifier: Apache-2.0
#include "configs/core_text.h"

#include <fmt/format.h>

namespace vta {

std::string describe(const CoreConfig& core) {
  return fmt::format(
      "batch {}, block {}x{}, buffers uop {}, inp {}, wgt {}, acc {} bytes{}{}{}", core.batch,
      core.block_in, core.block_out, core.uop_buffer_bytes, core.inp_buffer_bytes,
      core.wgt_buffer_bytes, core.acc_buffer_bytes, core.extension ? ", extension" : "",
      core.alu_folding > 1 ? fmt::format(", ALU folded by {}", core.alu_folding) : "",
      core.pixels > 1 ? fmt::format(", {} pixels a cycle", core.pixels) : "");
}

}  // namespace vta
