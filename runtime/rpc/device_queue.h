// SPDX-License-Identifier: Apache-2.0
//
// DeviceQueue: the thread that uses the device, and the queue of the clients' jobs.
//
// Scheduling is fair: clients with jobs are served round robin, one turn of one job at a time; the
// jobs of one client run in order. A job takes one or more turns (an evaluation: one per run), so
// that a client waits for at most one turn of each other client.
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
  // Executes one turn on the device's thread; true when the job is done. Must not throw.
  using Turn = std::function<bool(DeviceSlot& slot)>;

  explicit DeviceQueue(DeviceSlot slot);
  // Waits for the turn in progress; the remaining jobs are dropped.
  ~DeviceQueue();
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  // The functions below are callable from any thread.
  void add(ClientId client, JobId job, Turn turn);
  // The job gets no further turn; a turn in progress completes.
  void cancel(ClientId client, JobId job);
  // Likewise for all jobs of a client.
  void cancel_all(ClientId client);
  // Likewise for the client's jobs that have not started. Returns them.
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
  // Call with the mutex held.
  std::list<Client>::iterator find(ClientId client);
  std::deque<Job>& jobs_of(ClientId client);
  void move_to_back(ClientId client);
  bool is_in_turn(ClientId client, JobId job) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Clients with jobs, and the one in turn; between turns the front is next.
  std::list<Client> clients_;
  struct {
    bool active = false, cancelled = false;
    ClientId client = 0;
    JobId job = 0;
  } turn_;  // the turn in progress: its job is in no list
  bool stopping_ = false;
  DeviceSlot slot_;     // used by the thread only
  std::thread thread_;  // last: it uses the other members
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_DEVICE_QUEUE_H_
