// SPDX-License-Identifier: Apache-2.0
//
// The self-test on the Verilated core, good and with planted faults.
#include <gtest/gtest.h>

#include "sim/rtl/rtl_core.h"
#include "sim/rtl/rtl_device.h"
#include "tests/support/faulty_core.h"
#include "tools/flash/selftest/selftest.h"

namespace vta::selftest {
namespace {

struct SelfTestOfRtl : testing::Test {
  SelfTestOfRtl() {
    options.core = load_core_config("vta_1x16");
    options.random_programs = 5;
  }
  SelfTestOptions options;
};

TEST_F(SelfTestOfRtl, IsGood) {
  options.open = [this] { return sim::open_rtl_device("rtl", options.core); };
  const SelfTestReport report = run_selftest(options);
  EXPECT_TRUE(report.is_good()) << to_text(report);
}

TEST_F(SelfTestOfRtl, NamesEachPlantedFault) {
  const std::shared_ptr<sim::TimedCore> verilated =
      sim::make_rtl_core(options.core, load_memory_config("ideal64"));
  const auto run = [verilated](uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count,
                               const Deadline& deadline) {
    return verilated->run(arena, bytes, offset, count, deadline, nullptr);
  };
  for (const support::PlantedFault& planted : support::planted_faults()) {
    options.open = [&] {
      const auto faulty = std::make_shared<support::FaultyCore>(options.core, planted.faults, run);
      return sim::make_core_device("faulty", options.core, true, [faulty](auto&&... arguments) {
        return faulty->run(arguments...);
      });
    };
    const std::string text = to_text(run_selftest(options));
    EXPECT_NE(text.find(planted.finding), std::string::npos) << planted.name << ": " << text;
    EXPECT_TRUE(text.ends_with("Self-test: FAILED\n")) << planted.name;
  }
}

}  // namespace
}  // namespace vta::selftest
