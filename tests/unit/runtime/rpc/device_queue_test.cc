// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/device_queue.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

namespace vta::rpc {
namespace {

DeviceSlot no_device() {
  return {[]() -> std::unique_ptr<driver::Device> { fail(ErrorCode::kNotFound, "none"); }, {}};
}

// Blocks the device's thread until opened, so that a test can queue jobs.
class Gate {
 public:
  explicit Gate(DeviceQueue& queue) {
    queue.add(0, 1, [state = state_](DeviceSlot&) {
      state->entered.set_value();
      state->opened.get_future().wait();
      return true;
    });
    state_->entered.get_future().wait();
  }
  void open() { state_->opened.set_value(); }

 private:
  struct State {
    std::promise<void> entered, opened;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();  // the job may outlive the gate
};

// Waits until all jobs added before are done, if `client` is last in turn.
void wait_for(DeviceQueue& queue, DeviceQueue::ClientId client) {
  std::promise<void> done;
  queue.add(client, 99, [&](DeviceSlot&) {
    done.set_value();
    return true;
  });
  done.get_future().wait();
}

// Jobs that record the order of their turns.
struct Log {
  DeviceQueue::Turn job(const std::string& name, int turns = 1) {
    return [this, name, left = turns](DeviceSlot&) mutable {
      order.push_back(name);
      return --left == 0;
    };
  }
  std::vector<std::string> order;
};

using Order = std::vector<std::string>;

TEST(DeviceQueue, ServesClientsInTurnAndEachInItsOrder) {
  DeviceQueue queue(no_device());
  Log log;
  Gate gate(queue);
  for (const char* name : {"a1", "a2", "a3"}) queue.add(1, 1, log.job(name));
  queue.add(2, 1, log.job("b1"));
  queue.add(2, 2, log.job("b2"));
  queue.add(3, 1, log.job("c1"));
  gate.open();
  wait_for(queue, 1);
  EXPECT_EQ(log.order, (Order{"a1", "b1", "c1", "a2", "b2", "a3"}));
}

TEST(DeviceQueue, AClientThatArrivesDuringATurnIsServedBeforeTheOneInTurn) {
  DeviceQueue queue(no_device());
  Log log;
  Gate gate(queue);  // a turn of client 0
  queue.add(0, 2, log.job("a2"));
  queue.add(1, 1, log.job("b1"));
  gate.open();
  wait_for(queue, 0);
  EXPECT_EQ(log.order, (Order{"b1", "a2"}));
}

TEST(DeviceQueue, ALongJobLetsOthersHaveTheirTurns) {
  DeviceQueue queue(no_device());
  Log log;
  Gate gate(queue);
  queue.add(1, 1, log.job("long", 4));
  queue.add(1, 2, log.job("after"));
  queue.add(2, 1, log.job("b1"));
  queue.add(2, 2, log.job("b2"));
  gate.open();
  wait_for(queue, 1);
  EXPECT_EQ(log.order, (Order{"long", "b1", "long", "b2", "long", "long", "after"}));
}

TEST(DeviceQueue, CancelledJobsGetNoTurn) {
  DeviceQueue queue(no_device());
  Log log;
  Gate gate(queue);
  queue.add(1, 1, log.job("a1"));
  queue.add(1, 2, log.job("a2"));
  queue.add(2, 1, log.job("b1"));
  queue.add(3, 1, log.job("c1"));
  queue.add(3, 2, log.job("c2"));
  queue.cancel(1, 1);
  queue.cancel_all(2);
  EXPECT_EQ(queue.cancel_waiting(3), (std::vector<DeviceQueue::JobId>{1, 2}));
  EXPECT_TRUE(queue.cancel_waiting(4).empty());
  queue.cancel(7, 7);  // unknown
  gate.open();
  wait_for(queue, 1);
  EXPECT_EQ(log.order, (Order{"a2"}));
}

TEST(DeviceQueue, AJobThatIsCancelledInItsTurnHasNoOther) {
  DeviceQueue queue(no_device());
  std::promise<void> in_turn, cancelled;
  int turns = 0;
  queue.add(1, 1, [&](DeviceSlot&) {
    if (++turns == 1) {
      in_turn.set_value();
      cancelled.get_future().wait();
    }
    return false;  // never done
  });
  in_turn.get_future().wait();
  queue.cancel(1, 1);
  cancelled.set_value();
  wait_for(queue, 1);
  EXPECT_EQ(turns, 1);
}

TEST(DeviceQueue, EndsWithoutTheJobsThatAreLeft) {
  Log log;
  {
    DeviceQueue queue(no_device());
    Gate gate(queue);
    queue.add(1, 1, log.job("never", 1'000'000'000));
    gate.open();
  }
  SUCCEED() << "and does not wait for a job that goes on";
}

}  // namespace
}  // namespace vta::rpc
