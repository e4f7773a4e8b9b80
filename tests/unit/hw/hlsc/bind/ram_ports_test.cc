// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/ram_ports.h"

#include <gtest/gtest.h>

#include "hw/hlsc/ir/text.h"

namespace vta::hlsc::bind {
namespace {

using ir::Opcode;
using Processes = std::vector<size_t>;

constexpr const char* kReads = "loop l if 1:1 { } while 1:1 { %0 : 8 = ram_read m 1:1, 0:3 } ";
constexpr const char* kWrites = "loop l if 1:1 { } while 1:1 { ram_write m 1:1, 0:3, 0:8 } ";
constexpr const char* kReadsAndWrites =
    "loop l if 1:1 { } while 1:1 { %0 : 8 = ram_read m 1:1, 0:3 ram_write m 1:1, 0:3, %0 } ";

// The ports of a RAM whose processes 0, 1, ... have these bodies.
RamPorts ports_of(const std::string& ram, const std::vector<std::string>& bodies) {
  std::string text = "design d ram m : " + ram + " ";
  for (size_t i = 0; i < bodies.size(); ++i)
    text += "process p" + std::to_string(i) + " { " + bodies[i] + "} ";
  return ram_ports(ir::parse(text, "ports")).at(0);
}

TEST(RamPorts, OfOneProcessHaveNoOtherClients) {
  const RamPorts ports = ports_of("8 x 8 lanes 8 banks 1", {kReadsAndWrites});
  for (Opcode access : {Opcode::kRamRead, Opcode::kRamWrite}) {
    EXPECT_EQ(ports.clients(0, access), Processes());
    EXPECT_FALSE(ports.is_shared(0, access));
    EXPECT_FALSE(ports.may_wait(0, access));
  }
  EXPECT_FALSE(ports.word_may_change(0));
}

TEST(RamPorts, AreSharedByPriority) {
  const RamPorts ports = ports_of("8 x 8 lanes 8 banks 1", {kReads, kReads, kReads});
  EXPECT_EQ(ports.clients(2, Opcode::kRamRead), (Processes{0, 1, 2}));
  EXPECT_TRUE(ports.is_shared(0, Opcode::kRamRead));
  EXPECT_FALSE(ports.may_wait(0, Opcode::kRamRead));
  EXPECT_TRUE(ports.may_wait(1, Opcode::kRamRead));
  EXPECT_TRUE(ports.word_may_change(0));
  EXPECT_EQ(ports.clients(0, Opcode::kRamWrite), Processes());
}

// The writer, which may read and write in the same cycle, has the first port for its reads.
TEST(RamPorts, AreTrueDualPortForTwoReadersAndOneWriter) {
  const RamPorts ports = ports_of("8 x 8 lanes 8 banks 1", {kReads, kReadsAndWrites});
  EXPECT_TRUE(ports.is_true_dual_port);
  EXPECT_EQ(ports.readers, (Processes{1, 0}));
  EXPECT_EQ(ports.clients(1, Opcode::kRamRead), Processes());
  EXPECT_EQ(ports.clients(0, Opcode::kRamRead), (Processes{1, 0}));
  EXPECT_EQ(ports.clients(1, Opcode::kRamWrite), (Processes{1, 0}));
  EXPECT_TRUE(ports.may_wait(0, Opcode::kRamRead));
  EXPECT_FALSE(ports.may_wait(1, Opcode::kRamWrite));
  EXPECT_FALSE(ports.word_may_change(0));
}

TEST(RamPorts, AreNotTrueDualPortWithLanesBanksOrContents) {
  EXPECT_FALSE(ports_of("16 x 8 lanes 8 banks 1", {kReads, kReads, kWrites}).is_true_dual_port);
  EXPECT_FALSE(ports_of("8 x 8 lanes 8 banks 2", {kReads, kReads, kWrites}).is_true_dual_port);
  EXPECT_FALSE(
      ports_of("8 x 2 lanes 8 banks 1 = 1, 2", {kReads, kReads, kWrites}).is_true_dual_port);
}

TEST(RamSizes, FollowFromTheObject) {
  const ir::Object ram{ir::ObjectKind::kRam, "m", 64, 48, 16, 4, {}};
  EXPECT_EQ(address_bits(ram), 6u);
  EXPECT_EQ(bank_bits(ram), 2u);
  EXPECT_EQ(num_lanes(ram), 4u);
  EXPECT_EQ(address_bits({ir::ObjectKind::kRam, "m", 8, 1, 8, 1, {}}), 1u);
}

}  // namespace
}  // namespace vta::hlsc::bind
