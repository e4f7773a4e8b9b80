// SPDX-License-Identifier: Apache-2.0
//
// DeviceQueue: the thread that uses the device, and the order in which clients' jobs come to it.
//
// Fair turns: clients with jobs are served round robin, one turn of one job at a time; a client's
// own jobs keep their order. A job takes one turn or several (an evaluation: one a run), so that
// nobody waits longer than one turn of each of the others.
#ifndef VTA_RUNTIME_RPC_DEVICE_QUEUE_H_
#define VTA_RUNTIME_RPC_DEVICE_QUEUE_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/rpc/device_slot.h"

namespace vta::rpc {

class DeviceQueue {
 public:
  using ClientId = uint64_t;
  using JobId = uint32_t;
  // One turn, on the device's thread; true when the job is done. Throws nothing.
  using Turn = std::function<bool(DeviceSlot& slot)>;

  explicit DeviceQueue(DeviceSlot slot);
  // Waits for the turn that is under way; jobs that are left get none any more.
  ~DeviceQueue();
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  // The rest is for any thread.
  void add(ClientId client, JobId job, Turn turn);
  // The job gets no further turn; one that is under way ends as ever.
  void cancel(ClientId client, JobId job);
  // The same for all jobs of a client.
  void cancel_all(ClientId client);
  // The same for those that have not begun. Returns them.
  std::vector<JobId> cancel_waiting(ClientId client);

 private:
  struct Job {
    JobId id;
    Turn turn;
  };
  struct Client {
    ClientId id;
    std::deque<Job> jobs;
  };

  void work();
  // With the mutex held.
  std::list<Client>::iterator find(ClientId client);
  std::deque<Job>& jobs_of(ClientId client);
  void move_behind_others(ClientId client);
  bool is_in_turn(ClientId client, JobId job) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Those with jobs, and the one in turn; outside of turns the next one is in front.
  std::list<Client> clients_;
  struct {
    bool active = false, cancelled = false;
    ClientId client = 0;
    JobId job = 0;
  } turn_;  // the one under way: its job is in no list
  bool stopping_ = false;
  DeviceSlot slot_;     // of the thread alone
  std::thread thread_;  // last: it uses the others
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_DEVICE_QUEUE_H_
