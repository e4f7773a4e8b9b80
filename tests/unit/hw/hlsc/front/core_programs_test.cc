// SPDX-License-Identifier: Apache-2.0
//
// The core's process IR, as it comes from C++ and as the scheduler takes it, runs programs: every
// store and counter as the golden interpreter of the instruction set has them. VTA_TEST_COUNT
// programs of tiny_1x8, 300 if not given, and a hundredth of that of each larger core.
#include <gtest/gtest.h>

#include <string>

#include "configs/core_config.h"
#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/ir/interpreter.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/passes/pipeline.h"
#include "tests/support/core_definitions.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"
#include "tests/support/test_count.h"

namespace vta::hlsc {
namespace {

ir::Design compile_core(const CoreConfig& config) {
  const std::string root = VTA_SOURCE_ROOT;
  return front::compile({root + "/hw/core/instance.cc", {root}, support::core_definitions(config)});
}

// A run of the program from reset on.
void run(ir::Interpreter& core, const CoreConfig& config,
         const support::GeneratedProgram& program) {
  core.dram() = program.arena;
  core.set_input("has_extension", llvm::APInt(8, config.extension ? 1 : 0));
  core.set_input("dram_size_bytes", llvm::APInt(64, program.arena.size()));
  const uint64_t command =
      program.program_offset_bytes | static_cast<uint64_t>(program.num_instructions) << 32;
  core.offer("run_request", llvm::APInt(64, command));
  core.offer("run_fetch", llvm::APInt(64, command));
  ASSERT_TRUE(core.run(2'000'000'000)) << "it does not come to an end";
}

hw::Counters counters_of(const ir::Interpreter& core) {
  const auto value = [&](const char* name) { return core.read_register(name).getZExtValue(); };
  hw::Counters counters;
#define VTA_COUNTER(offset, name, description) counters.name = value(#name);
#include "hw/registers/registers.def"
  return counters;
}

class CoreAsProcessIr : public testing::TestWithParam<std::string> {};

TEST_P(CoreAsProcessIr, RunsProgramsAsTheInstructionSetSays) {
  const CoreConfig config = load_core_config(GetParam());
  const ir::Design compiled = compile_core(config);
  ir::Design legalized = ir::parse(ir::print(compiled), "printed");
  passes::legalize(legalized, {.verify_each = true});
  const uint64_t all = support::test_count(300);
  const uint64_t programs = config.block_in == 8 && config.batch == 1 ? all : all / 100;
  for (uint64_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE("program of seed " + std::to_string(seed));
    const support::GeneratedProgram program = support::generate_legal_program(config, seed);
    std::vector<uint8_t> arena = program.arena;
    const support::GoldenResult golden =
        support::run_golden(config, arena, program.program_offset_bytes, program.num_instructions);
    ir::Interpreter core(seed % 2 == 0 ? compiled : legalized, seed);
    run(core, config, program);
    EXPECT_TRUE(core.read_register("finished").isOne());
    ASSERT_TRUE(core.dram() == arena) << "the arenas differ";
    ASSERT_TRUE(counters_of(core) == golden.counters);
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, CoreAsProcessIr, testing::ValuesIn(installed_core_names()));

}  // namespace
}  // namespace vta::hlsc
