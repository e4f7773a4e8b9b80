// SPDX-License-Identifier: Apache-2.0
//
// The self-test on the functional core with planted faults, each of which it must name.
#include "tools/flash/selftest/selftest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "runtime/host/host_operators.h"
#include "sim/functional/core_device.h"
#include "sim/functional/functional_device.h"
#include "sim/functional/native_core.h"
#include "tests/recorded_runs/network_run.h"
#include "tests/support/faulty_core.h"

namespace vta::selftest {
namespace {

using support::FaultyCore;
using support::half_as_wide;
using support::PortFaults;
using support::stuck_at_one;

sim::CoreRunner good_core(const CoreConfig& core) {
  const std::shared_ptr<sim::NativeCore> native = sim::make_native_core(core);
  return [native](uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count,
                  const Deadline& deadline) {
    return native->run(arena, bytes, offset, count, deadline, nullptr);
  };
}

// A device whose caches are not synced.
class StaleDevice : public driver::Device {
 public:
  enum class Way { kToCore, kFromCore };
  StaleDevice(std::unique_ptr<driver::Device> device, Way way)
      : device_(std::move(device)), way_(way) {}

  driver::DeviceDescription describe() const override { return device_->describe(); }
  driver::DeviceAddress allocate(uint64_t bytes) override { return device_->allocate(bytes); }
  void free(driver::DeviceAddress address) override { device_->free(address); }
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    std::vector<uint8_t> bytes(src.begin(), src.end());
    // The operands are those of the copy before.
    constexpr size_t kFirst = 16 << 10, kEnd = 40 << 10;
    if (way_ == Way::kToCore && bytes.size() > kEnd && !last_.empty())
      std::copy(last_.begin() + kFirst, last_.begin() + kEnd, bytes.begin() + kFirst);
    device_->copy_in(dst, bytes);
    last_.assign(src.begin(), src.end());
    base_ = dst.bytes;
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    if (way_ == Way::kToCore) return device_->copy_out(dst, src);
    std::copy_n(last_.begin() + static_cast<ptrdiff_t>(src.bytes - base_), dst.size(), dst.begin());
  }
  hw::Counters run(const driver::RunRequest& request) override { return device_->run(request); }

 private:
  std::unique_ptr<driver::Device> device_;
  const Way way_;
  std::vector<uint8_t> last_;
  uint64_t base_ = 0;
};

struct SelfTest : testing::TestWithParam<const char*> {
  SelfTest() {
    options.core = core;
    options.random_programs = 20;
    options.open = [this] { return faulty(); };
  }
  std::unique_ptr<driver::Device> faulty() const {
    const auto faulty_core = std::make_shared<FaultyCore>(core, faults, good_core(core));
    return sim::make_core_device("faulty", core, false, [faulty_core](auto&&... arguments) {
      return faulty_core->run(arguments...);
    });
  }
  void expect_good() {
    const SelfTestReport report = run_selftest(options);
    EXPECT_TRUE(report.is_good()) << to_text(report);
  }
  void expect_finding(const std::string& part) {
    const SelfTestReport report = run_selftest(options);
    EXPECT_FALSE(report.is_good());
    const std::string text = to_text(report);
    EXPECT_NE(text.find(part), std::string::npos) << text << "lacks: " << part;
    EXPECT_TRUE(text.ends_with("Self-test: FAILED\n"));
  }

  const CoreConfig core = load_core_config(GetParam());
  PortFaults faults;
  SelfTestOptions options;
};

TEST_P(SelfTest, IsGoodOnAGoodCore) {
  uint64_t interrupts = 0;
  options.interrupts = [&] { return interrupts += 3; };
  options.fclk0_hz = [] { return 99'990'000.0; };
  options.built_hz = 100'000'000;
  std::vector<uint32_t> clocks;
  options.set_fclk0 = [&](uint32_t hz) {
    clocks.push_back(hz);
    return static_cast<double>(hz);
  };
  expect_good();
  EXPECT_EQ(clocks.size(), 6u);
  EXPECT_EQ(clocks.back(), 100'000'000u) << "back to its own";
}

TEST_P(SelfTest, NamesEachPlantedFault) {
  EXPECT_GE(support::planted_faults().size(), 10u);
  for (const support::PlantedFault& planted : support::planted_faults()) {
    SCOPED_TRACE(planted.name);
    faults = planted.faults;
    expect_finding("FAILED ports and random programs: ");
    expect_finding(planted.finding);
  }
}

TEST_P(SelfTest, NamesANetworkThatTheCoreComputesWrongly) {
  const auto device = sim::open_functional_device("functional", core);
  test::NetworkRun digits = test::run_network("digits.json", *device, lower::Mode::kFused);
  options.network = TestNetwork{digits.compiled.program, digits.inputs, host::execute};
  faults.spoils_long_loads = true;
  expect_finding("good   ports and random programs");
  expect_finding("FAILED network: network digits: class ");
  faults = {};
  options.set_fclk0 = [](uint32_t hz) { return static_cast<double>(hz); };
  options.built_hz = 100'000'000;
  expect_good();
  EXPECT_NE(to_text(run_selftest(options)).find("good   network: digits: class "),
            std::string::npos);
}

TEST_P(SelfTest, SaysWhichClocksItHasSet) {
  options.built_hz = 100'000'000;
  options.set_fclk0 = [](uint32_t hz) { return hz == 66'666'667 ? 65e6 : hz; };
  expect_good();
  EXPECT_NE(to_text(run_selftest(options)).find("50 MHz good, 65 MHz good, 100 MHz good"),
            std::string::npos);
}

TEST_P(SelfTest, NamesAStuckBitOfThePortOfInputsAndWeights) {
  faults.loads[isa::kInp] = faults.loads[isa::kWgt] = stuck_at_one(11);
  expect_finding("HP0 (INP, WGT)");
}

TEST_P(SelfTest, NamesEachStuckBitOfTheReadsOfAccumulators) {
  for (uint32_t line = 0; line < 64; line += 3) {
    faults.loads[isa::kAcc] = faults.loads[isa::kAcc8Bit] = stuck_at_one(line);
    expect_finding("bit " + std::to_string(line) + " of HP1's reads (ACC) is stuck");
  }
}

TEST_P(SelfTest, NamesEachStuckBitOfStores) {
  for (uint32_t line = 0; line < 64; line += 3) {
    faults.store = stuck_at_one(line);
    expect_finding("bit " + std::to_string(line) + " of HP1's writes (STORE) is stuck");
  }
}

TEST_P(SelfTest, NamesAStuckBitOfMicroOps) {
  faults.loads[isa::kUop] = stuck_at_one(1);
  expect_finding("data of HP2 (micro-ops) is wrong");
}

TEST_P(SelfTest, NamesThePortOfMicroOpsThatTheCoreRefuses) {
  faults.loads[isa::kUop] = stuck_at_one(10);  // an ACC element that tiny_1x8 does not have
  expect_finding("HP2");
}

TEST_P(SelfTest, NamesAStuckBitOfInstructions) {
  faults.fetch = stuck_at_one(1);
  expect_finding("instructions are wrong at HP3");
}

TEST_P(SelfTest, NamesAPortOf32Bits) {
  faults.loads[isa::kAcc] = faults.loads[isa::kAcc8Bit] = half_as_wide;
  expect_finding("HP1's reads (ACC) transfer 32 of 64 bits");
}

TEST_P(SelfTest, NamesThePortWhoseResponseIsLost) {
  for (const auto& [memory, port] : {std::pair{isa::kInp, "HP0"}, std::pair{isa::kAcc8Bit, "HP1"},
                                     std::pair{isa::kUop, "HP2"}}) {
    faults.hangs = memory;
    expect_finding(std::string("no response at ") + port);
  }
}

TEST_P(SelfTest, NamesAWrongCore) {
  options.open = [] {
    const CoreConfig other = load_core_config("vta_4x8");
    return sim::open_functional_device("functional", other);
  };
  expect_finding("FAILED identity: functional has core vta_4x8");
  options.open = []() -> std::unique_ptr<driver::Device> {
    fail(ErrorCode::kDevice, "core at uio:: no core is there");
  };
  expect_finding("FAILED identity: core at uio:: no core is there");
}

TEST_P(SelfTest, NamesAWrongClock) {
  options.fclk0_hz = [] { return 142'857'142.0; };
  options.built_hz = 100'000'000;
  expect_finding("FAILED clock: built for 100 MHz, FCLK0 is 142.857 MHz; vta-flash --check");
}

TEST_P(SelfTest, NamesTheFirstClockThatFails) {
  options.built_hz = 100'000'000;
  auto live = std::make_shared<PortFaults>();
  options.open = [&] {
    return sim::make_core_device("faulty", core, false, [&, live](auto&&... arguments) {
      return FaultyCore(core, *live, good_core(core)).run(arguments...);
    });
  };
  for (const auto& [limit, part] : {std::pair{60e6, "66.6667 MHz FAILS: bit 4 of HP1's writes"},
                                    std::pair{1e6, "a hold fault fails at 10 MHz, too"}}) {
    options.set_fclk0 = [live, max_hz = limit](uint32_t hz) {
      live->store = hz > max_hz && hz != 100'000'000 ? stuck_at_one(4) : PortFaults::Spoil();
      return static_cast<double>(hz);
    };
    expect_finding(part);
  }
}

TEST_P(SelfTest, NamesACoreThatStaysBadAfterTheSweep) {
  options.built_hz = 50'000'000;
  auto live = std::make_shared<PortFaults>();
  options.open = [&] {
    return sim::make_core_device("faulty", core, false, [&, live](auto&&... arguments) {
      return FaultyCore(core, *live, good_core(core)).run(arguments...);
    });
  };
  options.set_fclk0 = [live](uint32_t hz) {
    if (hz > 60'000'000) live->store = stuck_at_one(4);
    return static_cast<double>(hz);
  };
  expect_finding("good   clock sweep");
  live->store = {};
  expect_finding("FAILED after the sweep: bit 4 of HP1's writes (STORE) is stuck; load the");
}

TEST_P(SelfTest, NamesCachesThatAreNotSynced) {
  options.open = [this] {
    return std::make_unique<StaleDevice>(faulty(), StaleDevice::Way::kToCore);
  };
  expect_finding("the core works on old data");
  options.open = [this] {
    return std::make_unique<StaleDevice>(faulty(), StaleDevice::Way::kFromCore);
  };
  expect_finding("results do not reach the processor");
}

TEST_P(SelfTest, NamesAnInterruptThatNeverFires) {
  options.interrupts = [] { return uint64_t{7}; };
  expect_finding("FAILED interrupt: never fires");
}

TEST_P(SelfTest, NamesACoreThatComputesWrongValues) {
  faults.computes_wrong = true;
  expect_finding("the core computes wrong values");
}

INSTANTIATE_TEST_SUITE_P(Cores, SelfTest, testing::Values("tiny_1x8", "vta_1x16"));

}  // namespace
}  // namespace vta::selftest
