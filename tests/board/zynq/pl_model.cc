// SPDX-License-Identifier: Apache-2.0
//
// The programmable logic of QEMU's Zynq: the Verilated core, with the file of the machine's memory.
// usage: pl_model DDR-FILE REGISTERS-ADDRESS CORE
// Prints "ready" and runs until killed.
#include <fcntl.h>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include "configs/core_config.h"
#include "driver/linux/file_descriptor.h"
#include "sim/rtl/rtl_core.h"
#include "tests/support/board/fake_board.h"

namespace {

using namespace vta;

void serve(const std::string& file, uint64_t registers, const std::string& core_name) {
  const driver::FileDescriptor ddr = driver::open_file(file, O_RDWR);
  const driver::Mapping memory(ddr, 0, std::filesystem::file_size(file), file);
  const CoreConfig core = load_core_config(core_name);
  const std::shared_ptr<sim::TimedCore> verilated =
      sim::make_rtl_core(core, load_memory_config("ideal64"));
  const auto runner = [verilated](uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count,
                                  auto deadline) {
    return verilated->run(arena, bytes, offset, count, deadline, nullptr);
  };
  support::RegisterModel model(core, runner, {{memory.data(), memory.size_bytes()}, 0});
  const support::PolledPage page(memory.data() + registers, model);
  fmt::print("ready\n");
  std::fflush(stdout);
  std::getchar();  // returns when its parent ends
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("usage: pl_model DDR-FILE REGISTERS-ADDRESS CORE");
    serve(argv[1], std::stoull(argv[2], nullptr, 0), argv[3]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "pl_model: {}\n", error.what());
    return 1;
  }
}
