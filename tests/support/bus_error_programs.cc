// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "hw/isa/program_bytes.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

constexpr uint64_t kArenaBytes = 4096;

// `text`: an instruction without its sizes; it accesses the element after the arena.
GeneratedProgram access(const std::string& text, uint64_t elem_bytes, const CoreConfig& config) {
  const std::string program = text + " sram=0 dram=" + std::to_string(kArenaBytes / elem_bytes) +
                              " size=[1,1] stride=1\nfinish\n";
  const std::vector<isa::InstructionBits> stream = isa::assemble(program, text, config);
  GeneratedProgram result{std::vector<uint8_t>(kArenaBytes), 0,
                          static_cast<uint32_t>(stream.size())};
  std::ranges::copy(isa::bytes_of(stream), result.arena.begin());
  return result;
}

}  // namespace

std::vector<GeneratedProgram> bus_error_programs(const CoreConfig& config) {
  return {{std::vector<uint8_t>(kArenaBytes), kArenaBytes, 1},
          access("load.inp", config.inp_elem_bytes(), config),
          access("load.uop", config.uop_elem_bytes(), config),
          access("load.acc", config.acc_elem_bytes(), config),
          access("store.out", config.out_elem_bytes(), config)};
}

}  // namespace vta::support
