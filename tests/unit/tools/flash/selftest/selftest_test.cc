// SPDX-License-Identifier: Apache-2.0
//
// The self-test on the functional core with planted faults, each of which it must name.
#include "tools/flash/selftest/selftest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "hw/isa/program_bytes.h"
#include "sim/functional/core_device.h"
#include "sim/functional/functional_device.h"
#include "sim/functional/native_core.h"
#include "tools/flash/selftest/probe.h"

namespace vta::selftest {
namespace {

// What the ports of a core do to the data of its loads, its stores and its instructions.
struct PortFaults {
  using Spoil = std::function<void(std::span<uint8_t>)>;  // the range starts at a multiple of 8
  std::map<uint32_t, Spoil> loads;                        // by isa::MemoryId
  Spoil store, fetch;
  std::optional<uint32_t> hangs;  // a load of this memory gets no response
  bool computes_wrong = false;    // products that are added to loaded values
};

PortFaults::Spoil stuck_at_one(uint32_t line) {
  return [line](std::span<uint8_t> bytes) {
    for (size_t at = line / 8; at < bytes.size(); at += 8)
      bytes[at] |= static_cast<uint8_t>(1 << line % 8);
  };
}

void half_as_wide(std::span<uint8_t> bytes) {
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) std::memcpy(&bytes[at + 4], &bytes[at], 4);
}

class FaultyCore {
 public:
  FaultyCore(const CoreConfig& core, const PortFaults& faults)
      : core_(core), faults_(faults), native_(sim::make_native_core(core)) {}

  sim::NativeRun run(uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count,
                     const Deadline& deadline) const {
    std::vector<uint8_t> seen(arena, arena + bytes);
    const std::span<uint8_t> program = std::span(seen).subspan(offset, count * size_t{16});
    std::vector<isa::Instruction> stream;
    for (const isa::InstructionBits bits : isa::instructions_in(program))
      stream.push_back(isa::decode(bits, core_));
    bool loads_acc = false, multiplies = false;
    for (const isa::Instruction& one : stream) {
      if (one.opcode == isa::kGemm && one.reset == 0) multiplies = true;
      if (one.opcode != isa::kLoad || one.x_size == 0) continue;
      loads_acc |= one.memory == isa::kAcc;
      if (faults_.hangs == one.memory) return timed_out();
      const auto spoil = faults_.loads.find(one.memory);
      if (spoil != faults_.loads.end()) spoil->second(range(seen, one));
    }
    if (faults_.fetch) faults_.fetch(program);
    sim::NativeRun result = native_->run(seen.data(), bytes, offset, count, deadline, nullptr);
    for (const isa::Instruction& one : stream) {
      if (one.opcode != isa::kStore || one.x_size == 0) continue;
      const std::span<uint8_t> stored = range(seen, one);
      if (faults_.store) faults_.store(stored);
      if (faults_.computes_wrong && loads_acc && multiplies) stored[5] ^= 1;
      std::ranges::copy(stored, arena + (stored.data() - seen.data()));
    }
    return result;
  }

 private:
  static sim::NativeRun timed_out() {
    sim::NativeRun run;
    run.timed_out = true;
    return run;
  }
  // Of the one row that the probes load and store.
  std::span<uint8_t> range(std::vector<uint8_t>& arena, const isa::Instruction& one) const {
    const uint32_t bytes = one.memory == isa::kUop   ? 4
                           : one.memory == isa::kWgt ? core_.wgt_elem_bytes()
                           : one.memory == isa::kInp ? core_.inp_elem_bytes()
                           : one.memory == isa::kAcc ? core_.acc_elem_bytes()
                                                     : core_.acc_elem_bytes() / 4;
    return std::span(arena).subspan(size_t{one.dram_base} * bytes, size_t{one.x_size} * bytes);
  }

  const CoreConfig core_;
  const PortFaults faults_;
  std::shared_ptr<sim::NativeCore> native_;
};

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
    const auto faulty_core = std::make_shared<FaultyCore>(core, faults);
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
      return FaultyCore(core, *live).run(arguments...);
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
      return FaultyCore(core, *live).run(arguments...);
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
