// SPDX-License-Identifier: Apache-2.0
#include "tests/support/board/core_words.h"

#include <bit>

#include "hw/registers/register_bus.h"

namespace vta::support {
namespace {

uint32_t log2(uint32_t value) { return static_cast<uint32_t>(std::countr_zero(value)); }

}  // namespace

std::map<uint32_t, uint32_t> core_words(const CoreConfig& core) {
  using namespace hw;
  return {{kRegister_magic, kValue_magic},
          {kRegister_map_version, kValue_map_version},
          {kRegister_batch, core.batch},
          {kRegister_block_in, core.block_in},
          {kRegister_block_out, core.block_out},
          {kRegister_log2_uop_depth, log2(core.uop_depth())},
          {kRegister_log2_inp_depth, log2(core.inp_depth())},
          {kRegister_log2_wgt_depth, log2(core.wgt_depth())},
          {kRegister_log2_acc_depth, log2(core.acc_depth())},
          {kRegister_command_queue_depth, core.command_queue_depth},
          {kRegister_token_queue_depth, core.token_queue_depth},
          {kRegister_log2_alu_folding, log2(core.alu_folding)},
          {kRegister_extension, core.extension ? 1 : 0}};
}

}  // namespace vta::support
