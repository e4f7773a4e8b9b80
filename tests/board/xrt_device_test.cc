// SPDX-License-Identifier: Apache-2.0
//
// xrt:0 with Debian's unmodified libxrt_coreutil; below it is the Verilated core with its registers
// (tests/support/board/xrt_shim.h).
#include "driver/xrt/xrt_device.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "compiler/compile.h"
#include "driver/flash/xclbin.h"
#include "sim/rtl/rtl_core.h"
#include "sim/rtl/rtl_device.h"
#include "tests/recorded_runs/network_run.h"
#include "tests/support/board/xrt_shim.h"
#include "tests/support/error_in.h"

namespace vta::test {
namespace {

constexpr uint64_t kMemoryBase = 0x1000'0000, kMemoryBytes = 256 << 20;

// One per process, as in XRT.
struct Board {
  Board() {
    const std::shared_ptr<sim::TimedCore> verilated =
        sim::make_rtl_core(core, load_memory_config("ideal64"));
    const auto runner = [verilated](uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count,
                                    auto deadline) {
      return verilated->run(arena, bytes, offset, count, deadline, nullptr);
    };
    const support::BusMemory bus{memory, kMemoryBase};
    static support::RegisterModel model(core, runner, bus);
    support::install_xrt_shim(model, bus);
  }
  const CoreConfig core = load_core_config("vta_1x16");
  std::vector<uint8_t> memory = std::vector<uint8_t>(kMemoryBytes);
};

Board& board() {
  static Board instance;
  return instance;
}

struct XrtDevice : testing::Test {
  std::unique_ptr<driver::Device> open(const std::string& uri = "xrt:0") {
    return driver::open_xrt_device(uri, core);
  }
  std::string error_of(const std::string& uri, const CoreConfig& config) {
    return error_in([&] { driver::open_xrt_device(uri, config); });
  }
  const CoreConfig core = board().core;
};

TEST_F(XrtDevice, RunsTheDigitsNetworkBitForBitInTheCyclesOfTheRtlSimulator) {
  const auto rtl = sim::open_rtl_device("rtl", core);
  const NetworkRun expected = run_network("digits.json", *rtl, lower::Mode::kFused);
  const auto device = open();
  const NetworkRun got = run_network("digits.json", *device, lower::Mode::kFused);
  ASSERT_EQ(got.values.size(), expected.values.size());
  for (const auto& [name, tensor] : expected.values) {
    EXPECT_TRUE(std::ranges::equal(got.values.at(name).bytes(), tensor.bytes())) << name;
  }
  EXPECT_GT(expected.report.counters.cycles.value_or(0), 0u);
  EXPECT_TRUE(got.report.counters == expected.report.counters);
}

// The first layer of ResNet-18 that the core computes, on random activations.
struct Layer {
  Layer() {
    CompileOptions options;
    options.core = board().core;
    options.per_layer_streams = true;
    program = compile(import::load_network("resnet18.json"), options).program;
    const auto is_core = [](const ProgramStep& s) { return s.kind == ProgramStep::Kind::kCore; };
    step = *std::ranges::find_if(program.steps, is_core);
    arena = program.arena_image;
    arena.resize(program.arena_bytes);
    const ProgramValue& input = program.value(step.inputs[0]);
    Random random(18);
    for (uint64_t i = 0; i < packed_size_bytes(input.type, program.core); ++i) {
      arena[input.arena_offset_bytes + i] = static_cast<uint8_t>(random.between(-127, 127));
    }
  }

  struct Result {
    hw::Counters counters;
    std::vector<uint8_t> arena;
  };
  Result run(driver::Device& device) const {
    const driver::DeviceAddress address = device.allocate(arena.size());
    device.copy_in(address, arena);
    driver::RunRequest request;
    request.arena = address;
    request.arena_bytes = arena.size();
    request.program_offset_bytes = step.stream_offset_bytes;
    request.num_instructions = step.num_instructions;
    Result result{device.run(request), std::vector<uint8_t>(arena.size())};
    device.copy_out(result.arena, address);
    device.free(address);
    return result;
  }

  Program program;
  ProgramStep step;
  std::vector<uint8_t> arena;
};

TEST_F(XrtDevice, RunsALayerOfResNet18BitForBitInTheCyclesOfTheRtlSimulator) {
  const Layer layer;
  const Layer::Result expected = layer.run(*sim::open_rtl_device("rtl", core));
  const Layer::Result got = layer.run(*open());
  EXPECT_GT(expected.counters.gemm_counter, 400'000u);
  EXPECT_FALSE(expected.arena == layer.arena) << "it computes nothing";
  EXPECT_TRUE(got.arena == expected.arena) << "the arenas differ";
  EXPECT_EQ(got.counters.cycles, expected.counters.cycles);
  EXPECT_TRUE(got.counters == expected.counters);
}

TEST_F(XrtDevice, GivesEverythingBack) {
  {
    const auto device = open();
    const driver::DeviceAddress first = device->allocate(100);
    device->allocate(5000);
    device->free(first);
    EXPECT_EQ(support::xrt_shim_buffers(), 1);
    EXPECT_EQ(support::xrt_shim_contexts(), 1);
  }
  EXPECT_EQ(support::xrt_shim_buffers(), 0);
  EXPECT_EQ(support::xrt_shim_contexts(), 0);
}

TEST_F(XrtDevice, RefusesMoreMemoryThanTheBoardHasInOnePiece) {
  const Error error = expect_error([&] { open()->allocate(200 << 20); });
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  EXPECT_STREQ(
      error.what(),
      "allocate: 209715200 bytes requested, pynq-z1 allows at most 134217728 contiguous bytes");
}

TEST_F(XrtDevice, SaysWhatIsWrongWithItsNameItsIndexAndItsCore) {
  for (const char* uri : {"xrt", "xrt:", "xrt:zero", "xrt:0,core=x", "xrt:0x"}) {
    EXPECT_NE(error_of(uri, core).find("expected xrt:INDEX"), std::string::npos) << uri;
  }
  EXPECT_NE(error_of("xrt:7", core).find("XRT cannot open device 7: no device with index 7"),
            std::string::npos)
      << error_of("xrt:7", core);
  EXPECT_NE(error_of("xrt:0,board=nexys", core).find("board 'nexys'"), std::string::npos);
  EXPECT_NE(error_of("xrt:0", load_core_config("tiny_1x8")).find("expected core tiny_1x8"),
            std::string::npos);
}

}  // namespace
}  // namespace vta::test
