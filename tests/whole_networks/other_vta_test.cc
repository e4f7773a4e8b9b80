// SPDX-License-Identifier: Apache-2.0
//
// Exported streams of mode compatible on a device that behaves as other implementations of VTA do
// (tests/support/other_vta.h): the same bytes as on the functional device.
#include "tests/support/other_vta.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hw/isa/program_bytes.h"
#include "runtime/host/host_operators.h"
#include "sim/functional/functional_device.h"
#include "tests/recorded_runs/network_run.h"
#include "tests/support/error_in.h"

namespace vta::test {
namespace {

CoreConfig plain_core() {
  CoreConfig core = load_core_config("vta_1x16");
  core.extension = false;
  return core;
}

void expect_same_values(const NetworkRun& run, const NetworkRun& expected) {
  ASSERT_EQ(run.values.size(), expected.values.size());
  for (const auto& [name, value] : run.values) {
    const auto own = value.bytes(), other = expected.values.at(name).bytes();
    EXPECT_TRUE(std::equal(own.begin(), own.end(), other.begin(), other.end())) << name;
  }
}

class OtherVta : public ::testing::TestWithParam<const char*> {};

TEST_P(OtherVta, GivesTheBytesOfTheFunctionalDevice) {
  const std::string network = fmt::format("{}.json", GetParam());
  const auto functional = sim::open_functional_device("functional", plain_core());
  const NetworkRun expected = run_network(network, *functional, lower::Mode::kCompatible);
  expect_same_values(
      run_network(network, *support::make_other_vta(plain_core()), lower::Mode::kCompatible),
      expected);
}

INSTANTIATE_TEST_SUITE_P(Networks, OtherVta,
                         ::testing::Values("digits", "resnet18", "resnet20_cifar"),
                         [](const auto& network) { return std::string(network.param); });

// The program's streams without the tokens from their last STOREs to FINISH.
Program without_handshakes(Program program) {
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const ProgramStep& step = program.steps[i];
    if (step.kind != ProgramStep::Kind::kCore || step.continues) continue;
    const uint64_t end =
        step.stream_offset_bytes + uint64_t{step.num_instructions} * isa::kInstructionBytes;
    uint64_t last_store = end - isa::kInstructionBytes;
    while ((program.arena_image[last_store] & 7) != isa::kStore)
      last_store -= isa::kInstructionBytes;
    program.arena_image[last_store] &= ~0x20;                    // push_prev
    program.arena_image[end - isa::kInstructionBytes] &= ~0x10;  // FINISH's pop_next
  }
  return program;
}

// What the tests above would miss if OtherVta were lenient.
TEST(OtherVtaModel, LosesTheLastStoresOfStreamsWithoutTheHandshake) {
  const auto device = support::make_other_vta(plain_core());
  const NetworkRun run = run_network("digits.json", *device, lower::Mode::kCompatible);
  const auto result_of = [&](const Program& program) {
    Session session(program, *device, host::execute);
    const Tensor result = session.run(run.inputs).at(0);
    return std::vector<uint8_t>(result.bytes().begin(), result.bytes().end());
  };
  const Program& program = run.compiled.program;
  EXPECT_NE(result_of(program), result_of(without_handshakes(program)));
}

TEST(OtherVtaModel, RefusesGemmsThatWriteAnAccumulatorTooOften) {
  const auto device = support::make_other_vta(plain_core());
  const Error error =
      expect_error([&] { run_network("digits.json", *device, lower::Mode::kFused); });
  EXPECT_NE(std::string(error.what()).find("closer than VTA allows"), std::string::npos)
      << error.what();
}

}  // namespace
}  // namespace vta::test
