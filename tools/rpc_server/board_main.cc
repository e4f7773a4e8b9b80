// SPDX-License-Identifier: Apache-2.0
//
// vta-rpc-server for a board: serves the FPGA through UIO and the functional simulator, and loads
// bitstreams. It links nothing that needs a host machine.
#include "configs/board_config.h"
#include "driver/flash/flash.h"
#include "driver/uio/uio_device.h"
#include "sim/functional/functional_device.h"
#include "tools/rpc_server/server_main.h"

namespace vta::rpc {
namespace {

std::string flash(const Bitstream& bitstream) {
  const BoardConfig board = load_board_config(bitstream.board);
  const CoreConfig core = load_core_config(bitstream.core.empty() ? board.core : bitstream.core);
  return driver::to_text(driver::flash(board, core, bitstream.bytes, bitstream.file));
}

}  // namespace
}  // namespace vta::rpc

int main(int argc, char** argv) {
  vta::sim::register_functional_device();
  vta::driver::register_uio_device();
  return vta::rpc::server_main(argc, argv, vta::rpc::flash);
}
