// SPDX-License-Identifier: Apache-2.0
#include "sim/process_network/arbiter.h"

#include <gtest/gtest.h>

#include "sim/process_network/stream.h"

namespace vta::process_network {
namespace {

// Two clients of a port, and an unrelated process.
class TwoClients : public testing::Test {
 protected:
  TwoClients() {
    from_first_.bind_writer(first_);
    from_first_.bind_reader(second_);
    from_another_.bind_writer(another_);
    from_another_.bind_reader(second_);
  }
  void run() {
    EXPECT_TRUE(network_.run(std::chrono::steady_clock::now() + std::chrono::seconds(20)));
    EXPECT_TRUE(has_looked_);
  }

  // Runs all other processes as far as possible.
  void let_go(Cycle at) {
    first_.now = at;
    first_.wait_at_gate(at);
  }

  ProcessNetwork network_;
  Stream<NoContent, 2, 1> from_first_, from_another_;
  std::function<void()> first_does_, second_does_;
  bool has_looked_ = false;
  Process first_{network_, "first", [this] { first_does_(), first_.end(100); }};
  Process second_{network_, "second", [this] { second_does_(), second_.end(100); }};
  Process another_{network_, "another", [this] { another_.end(0); }};
  Arbiter port_{{&first_, &second_}};
};

TEST_F(TwoClients, TheSecondDoesNotWatchWhatItWaitsFor) {
  second_does_ = [&] { from_first_.pop(wait_for_item(second_, from_first_, 0, 0, 0)); };
  first_does_ = [&] {
    let_go(1);
    EXPECT_FALSE(port_.is_watched(0));
    from_first_.push(5, {});
    EXPECT_TRUE(port_.is_watched(0)) << "it can go on";
    let_go(9);
    EXPECT_FALSE(port_.is_watched(0)) << "it has ended";
    has_looked_ = true;
  };
  run();
}

TEST_F(TwoClients, TheSecondWatchesWhileItWaitsForAThirdProcess) {
  second_does_ = [&] { from_another_.pop(wait_for_item(second_, from_another_, 0, 0, 0)); };
  first_does_ = [&] {
    let_go(1);
    EXPECT_TRUE(port_.is_watched(0));
    EXPECT_FALSE(port_.is_watched(1)) << "no client has lower priority than the last one";
    has_looked_ = true;
  };
  run();
}

TEST_F(TwoClients, TheSecondWatchesAtItsGate) {
  second_does_ = [&] {
    second_.now = 50;
    second_.wait_at_gate(50);
  };
  first_does_ = [&] {
    let_go(1);
    EXPECT_TRUE(port_.is_watched(0));
    has_looked_ = true;
  };
  run();
}

}  // namespace
}  // namespace vta::process_network
