// SPDX-License-Identifier: Apache-2.0
#include "driver/device.h"

#include <gtest/gtest.h>

#include "driver/device_allocation.h"
#include "tests/support/error_in.h"

namespace vta::driver {
namespace {

class NamedDevice : public Device {
 public:
  explicit NamedDevice(const std::string& uri, const CoreConfig& core) : description_{uri, core} {}
  DeviceDescription describe() const override { return description_; }
  DeviceAddress allocate(uint64_t) override { return {}; }
  void free(DeviceAddress) override {}
  void copy_in(DeviceAddress, std::span<const uint8_t>) override {}
  void copy_out(std::span<uint8_t>, DeviceAddress) override {}
  hw::Counters run(const RunRequest&) override { return {}; }

 private:
  DeviceDescription description_;
};

void register_named(const std::string& scheme) {
  register_device(scheme, {scheme + ":NAME", "a device of the test"},
                  [](const std::string& uri, const CoreConfig& core) {
                    return std::make_unique<NamedDevice>(uri, core);
                  });
}

TEST(Device, OpensByTheSchemeBeforeTheColonAndPassesTheWholeUri) {
  register_named("named");
  CoreConfig core;
  core.batch = 4;
  EXPECT_EQ(open("named", core)->describe().uri, "named");
  const auto device = open("named:/dev/x:1", core);
  EXPECT_EQ(device->describe().uri, "named:/dev/x:1");
  EXPECT_EQ(device->describe().core.batch, 4u);
}

TEST(Device, AnUnknownSchemeIsNotFoundAndListsTheKnownOnes) {
  register_named("zeta");
  register_named("alpha");
  const Error error = expect_error([&] { open("nowhere:1", CoreConfig{}); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  const std::string message = error.what();
  EXPECT_NE(message.find("'nowhere'"), std::string::npos) << message;
  EXPECT_LT(message.find("alpha"), message.find("zeta")) << message;
}

TEST(Device, ARepeatedRegistrationReplaces) {
  register_device("twice", {"twice:OLD", "replaced"},
                  [](const std::string&, const CoreConfig&) { return nullptr; });
  register_named("twice");
  EXPECT_EQ(registered_devices().at("twice").uri, "twice:NAME");
  EXPECT_EQ(open("twice", CoreConfig{})->describe().uri, "twice");
}

// Counts its allocations; a lost device fails to free them.
class CountingDevice : public NamedDevice {
 public:
  explicit CountingDevice(bool lost) : NamedDevice("counting", {}), lost_(lost) {}
  DeviceAddress allocate(uint64_t) override {
    ++live_blocks;
    return {kArenaAlignmentBytes};
  }
  void free(DeviceAddress address) override {
    if (lost_) fail(ErrorCode::kDevice, "the board is gone");
    if (address.bytes == kArenaAlignmentBytes) --live_blocks;
  }
  int live_blocks = 0;

 private:
  bool lost_;
};

TEST(DeviceAllocation, FreesItselfAndEndsAlsoWhereTheDeviceIsLost) {
  CountingDevice device(false);
  {
    const DeviceAllocation memory(device, 16);
    EXPECT_EQ(device.live_blocks, 1);
    EXPECT_EQ(memory.address().bytes, kArenaAlignmentBytes);
    EXPECT_EQ(memory.at(5).bytes, kArenaAlignmentBytes + 5);
  }
  EXPECT_EQ(device.live_blocks, 0);
  CountingDevice lost(true);
  EXPECT_NO_THROW(DeviceAllocation(lost, 16));
}

TEST(Counters, SumFieldByField) {
  hw::Counters sum{1, 2, 3, 4, 5, 6, 7, std::nullopt};
  sum += hw::Counters{10, 20, 30, 40, 50, 60, 70, std::nullopt};
  EXPECT_EQ(sum, (hw::Counters{11, 22, 33, 44, 55, 66, 77, std::nullopt}));
}

TEST(Counters, CyclesStayEmptyUntilATimedDeviceAddsSome) {
  hw::Counters sum;
  sum += hw::Counters{};
  EXPECT_FALSE(sum.cycles.has_value());
  hw::Counters timed;
  timed.cycles = 5;
  sum += timed;
  sum += timed;
  sum += hw::Counters{};
  EXPECT_EQ(sum.cycles, 10u);
}

TEST(Counters, SumTheCyclesOfEveryStageAndState) {
  hw::Counters sum, one;
  one.stages.emplace();
  one.stages->of[hw::kStage_load][hw::kStageState_busy] = 1;
  one.stages->of[hw::kStage_store][hw::kStageState_idle] = 20;
  sum += hw::Counters{};
  EXPECT_FALSE(sum.stages.has_value());
  sum += one;
  sum += hw::Counters{};
  sum += one;
  ASSERT_TRUE(sum.stages.has_value());
  EXPECT_EQ(sum.stages->of[hw::kStage_load][hw::kStageState_busy], 2u);
  EXPECT_EQ(sum.stages->of[hw::kStage_store][hw::kStageState_idle], 40u);
  EXPECT_EQ(sum.stages->of[hw::kStage_gemm][hw::kStageState_busy], 0u);
}

}  // namespace
}  // namespace vta::driver
