// SPDX-License-Identifier: Apache-2.0
//
// The RTL device reports faults with the same message as the functional device.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/support/program_generator.h"
#include "tests/unit/sim/rtl/machine.h"

namespace vta::sim {
namespace {

class DeviceErrors : public testing::TestWithParam<const char*> {
 protected:
  DeviceErrors() : functional_("functional"), rtl_(GetParam()) {}

  // The common message of both.
  std::string fault_of(const std::string& assembly) {
    const std::string expected = functional_.fault_of(assembly);
    EXPECT_EQ(rtl_.fault_of(assembly), expected) << assembly;
    return expected;
  }
  void write_uops(const std::vector<isa::Uop>& uops) {
    functional_.write_uops(0, uops);
    rtl_.write_uops(0, uops);
  }

  Machine functional_, rtl_;
};

bool is_deadlock(const std::string& message) { return message.starts_with("deadlock: "); }

TEST_P(DeviceErrors, NameInstructionIndexAndLimitOfAFault) {
  write_uops({{31, 0, 0}});
  for (const char* faulty : {"load.uop sram=0 dram=0 size=[1,1] stride=1\n"
                             "gemm.reset uop=[0,1) iter=[1,2] dst=[0,1] src=[0,0] wgt=[0,0]\n",
                             "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
                             "alu.add uop=[0,1) iter=[2,2] dst=[0,1] imm=1\n",
                             "alu.add uop=[3,2) iter=[1,1] dst=[0,0] imm=1\n",
                             "load.inp sram=0 dram=4072 size=[2,1] stride=24\n",
                             "load.acc sram=0 dram=4072 size=[2,1] stride=24\n",
                             "load.inp sram=32 dram=0 size=[9,9] stride=9\n",
                             "load.wgt sram=30 dram=0 size=[1,9] stride=9\n",
                             "store.out sram=31 dram=0 size=[2,1] stride=1\n",
                             "store.out sram=0 dram=4294967295 size=[2,1] stride=65535\n",
                             "load.uop.split push_next sram=0 dram=0 size=[0,0] stride=0\n"}) {
    EXPECT_TRUE(fault_of(std::string(faulty) + "finish\n").starts_with("instruction ")) << faulty;
  }
  EXPECT_EQ(fault_of("load.inp sram=0 dram=0 size=[1,1] stride=1\n"), "no FINISH in 1 instruction");
  fault_of("load.inp push_next sram=0 dram=0 size=[1,1] stride=1\nfinish\n");  // a token is left
  fault_of("finish\nfinish\n");
}

TEST_P(DeviceErrors, NameEachWaitingStageInADeadlock) {
  for (const char* program :
       {"load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\n"
        "store.out pop_prev sram=0 dram=0 size=[1,1] stride=1\n",
        "gemm.reset pop_prev push_next\nstore.out pop_prev\n",
        "load.inp push_next sram=0 dram=0 size=[1,4] stride=4\nload.wgt pop_next\n"
        "gemm.reset pop_prev\ngemm.reset pop_prev\n"}) {
    EXPECT_PRED1(is_deadlock, fault_of(std::string(program) + "finish\n"));
  }
}

TEST_P(DeviceErrors, NameTheStageThatWaitsForSpaceInATokenQueue) {
  const auto after_a_full_queue = [&](const std::string& pusher, const std::string& next) {
    std::string program;
    for (uint32_t i = 0; i <= functional_.config().token_queue_depth; ++i) program += pusher + "\n";
    return fault_of(program + next + "\nfinish\n");
  };
  for (const char* next : {"load.inp sram=32 dram=0 size=[9,9] stride=9",
                           "load.inp sram=0 dram=0 size=[1,1] stride=1"})
    EXPECT_PRED1(is_deadlock, after_a_full_queue("load.inp push_next", next));
  for (const char* next : {"store.out sram=32 dram=0 size=[9,9] stride=9",
                           "store.out sram=0 dram=512 size=[1,1] stride=1"})
    EXPECT_PRED1(is_deadlock, after_a_full_queue("store.out push_prev", next));
  EXPECT_PRED1(is_deadlock, after_a_full_queue("gemm.reset push_prev", "gemm.reset"));
}

TEST_P(DeviceErrors, EndAProgramThatTakesTooLong) {
  write_uops({{0, 0, 0}});
  const std::string program =
      "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
      "alu.add uop=[0,1) iter=[16383,16383] dst=[0,0] imm=1\n"
      "alu.add uop=[0,1) iter=[16383,16383] dst=[0,0] imm=1\n"
      "finish\n";
  for (Machine* machine : {&functional_, &rtl_})
    EXPECT_EQ(machine->fault_of(program, 20), "the program did not end within 20 ms");
}

TEST_P(DeviceErrors, EndAProgramThatIsStopped) {
  write_uops({{0, 0, 0}});
  std::atomic<bool> stop = false;
  const std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  EXPECT_THROW(rtl_.run("load.uop sram=0 dram=0 size=[1,1] stride=1\n"
                        "alu.add uop=[0,1) iter=[16383,16383] dst=[0,0] imm=1\n"
                        "finish\n",
                        std::chrono::seconds(600), &stop),
               Error);
  EXPECT_NO_THROW(rtl_.run("finish\n"));
}

TEST_P(DeviceErrors, LeaveADeviceThatRunsAgain) {
  write_uops({{0, 0, 0}});
  const std::string good =
      "load.uop sram=0 dram=0 size=[1,1] stride=1\n"
      "gemm.reset push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]\n"
      "alu.add pop_prev push_next uop=[0,1) iter=[1,1] dst=[0,0] imm=5\n"
      "store.out pop_prev push_prev sram=0 dram=128 size=[1,1] stride=1\n"
      "finish pop_next\n";
  for (const char* bad : {"load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\nfinish\n",
                          "alu.add uop=[3,2) iter=[1,1] dst=[0,0] imm=1\nfinish\n"}) {
    EXPECT_NE(fault_of(bad), "");
    fault_of(good);
    rtl_.write(1024, std::vector<uint8_t>(8));
    EXPECT_EQ(rtl_.fault_of(good), functional_.fault_of(good));
    EXPECT_EQ(rtl_.read(1024, 8), functional_.read(1024, 8));
  }
}

INSTANTIATE_TEST_SUITE_P(Memories, DeviceErrors,
                         testing::Values("rtl", "rtl:random", "lockstep:functional,rtl"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == ':' || c == ',' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace vta::sim
