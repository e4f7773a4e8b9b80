// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/admission.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/rpc/refusal_log.h"

namespace vta::rpc {
namespace {

using Gone = std::optional<Admission::Id>;

TEST(RpcAdmission, LetsTheOldestOfTheBusiestAddressGiveWay) {
  Admission admission({.connections = 4, .connections_of_address = 3});
  EXPECT_EQ(admission.add(1, "honest"), Gone());
  EXPECT_EQ(admission.add(2, "a"), Gone());
  EXPECT_EQ(admission.add(3, "b"), Gone());
  EXPECT_EQ(admission.add(4, "b"), Gone());
  EXPECT_EQ(admission.add(5, "c"), Gone(3)) << "of b, which has two";
  EXPECT_EQ(admission.add(6, "d"), Gone(1)) << "all have one: the oldest";
  EXPECT_EQ(admission.size(), 4u);
}

TEST(RpcAdmission, LimitsTheConnectionsOfOneAddress) {
  Admission admission({.connections = 100, .connections_of_address = 2});
  admission.add(1, "a");
  admission.add(2, "b");
  admission.add(3, "b");
  EXPECT_EQ(admission.add(4, "b"), Gone(2));
  EXPECT_EQ(admission.add(5, "a"), Gone());
}

TEST(RpcAdmission, LetsRefusedConnectionsGiveWayFirst) {
  Admission admission({.connections = 3, .connections_of_address = 3});
  admission.add(1, "a");
  admission.add(2, "a");
  admission.add(3, "b");
  admission.mark_refused(3);
  admission.mark_refused(99);
  EXPECT_EQ(admission.add(4, "c"), Gone(3));
  EXPECT_EQ(admission.add(5, "c"), Gone(1));
}

TEST(RpcAdmission, ForgetsClientsAndConnectionsThatHaveEnded) {
  Admission admission({.connections = 2, .connections_of_address = 1});
  admission.add(1, "a");
  admission.remove(1);
  admission.remove(1);
  EXPECT_EQ(admission.add(2, "a"), Gone());
  EXPECT_EQ(admission.add(3, "b"), Gone());
  EXPECT_EQ(admission.size(), 2u);
}

TEST(RpcAdmission, GroupsAddressesByWhatOneMachineCannotChoose) {
  EXPECT_EQ(address_group("192.168.2.1"), "192.168.2.1");
  EXPECT_EQ(address_group("2001:db8:1:2:3:4:5:6"), address_group("2001:db8:1:2:9::1"));
  EXPECT_NE(address_group("2001:db8:1:2::1"), address_group("2001:db8:1:3::1"));
  EXPECT_NE(address_group("::ffff:10.0.0.1"), address_group("::ffff:10.0.0.2"));
  EXPECT_EQ(address_group("unknown"), "unknown");
}

TEST(RpcRefusalLog, HasABoundedRateAndSaysHowManyItOmits) {
  std::vector<std::string> lines;
  RefusalLog log([&](const std::string& line) { lines.push_back(line); });
  const RefusalLog::Clock::time_point start(std::chrono::hours(1));
  for (int i = 0; i < 1000; ++i) log.add("refused", start + std::chrono::microseconds(i));
  EXPECT_EQ(lines.size(), RefusalLog::kLinesPerInterval);
  log.add("last", start + RefusalLog::kInterval);
  ASSERT_EQ(lines.size(), RefusalLog::kLinesPerInterval + 2);
  EXPECT_EQ(lines[lines.size() - 2], "995 more connections refused");
  EXPECT_EQ(lines.back(), "last");
}

}  // namespace
}  // namespace vta::rpc
