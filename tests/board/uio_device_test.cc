// SPDX-License-Identifier: Apache-2.0
//
// Runs a network with the UIO driver on a fake Linux, with the Verilated core at its registers.
#include "driver/uio/uio_device.h"

#include <gtest/gtest.h>

#include "sim/rtl/rtl_core.h"
#include "sim/rtl/rtl_device.h"
#include "tests/recorded_runs/network_run.h"
#include "tests/support/board/fake_board.h"

namespace vta::test {
namespace {

TEST(UioDevice, RunsTheDigitsNetworkBitForBitInTheCyclesOfTheRtlSimulator) {
  const CoreConfig core = load_core_config("vta_1x16");
  support::FakeBoard board(core);
  board.add_core();
  board.add_carve_out();
  const std::shared_ptr<sim::TimedCore> verilated =
      sim::make_rtl_core(core, load_memory_config("ideal64"));
  board.begin(
      [verilated](uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count, auto deadline) {
        return verilated->run(arena, bytes, offset, count, deadline, nullptr);
      });
  const auto device = driver::open_uio_device("uio:vta", core, board.roots);
  const NetworkRun got = run_network("digits.json", *device, lower::Mode::kFused);
  const NetworkRun expected =
      run_network("digits.json", *sim::open_rtl_device("rtl", core), lower::Mode::kFused);
  ASSERT_EQ(got.values.size(), expected.values.size());
  for (const auto& [name, tensor] : expected.values) {
    EXPECT_TRUE(std::ranges::equal(got.values.at(name).bytes(), tensor.bytes())) << name;
  }
  EXPECT_GT(expected.report.counters.cycles.value_or(0), 0u);
  EXPECT_TRUE(got.report.counters == expected.report.counters);
}

}  // namespace
}  // namespace vta::test
