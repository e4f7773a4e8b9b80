// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/device_queue.h"

#include <algorithm>
#include <utility>

namespace vta::rpc {

DeviceQueue::DeviceQueue(DeviceSlot slot) : slot_(std::move(slot)), thread_([this] { work(); }) {}

DeviceQueue::~DeviceQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::list<DeviceQueue::Client>::iterator DeviceQueue::find(ClientId client) {
  return std::find_if(clients_.begin(), clients_.end(),
                      [&](const Client& other) { return other.id == client; });
}

std::deque<DeviceQueue::Job>& DeviceQueue::jobs_of(ClientId client) {
  auto place = find(client);
  if (place == clients_.end()) place = clients_.insert(clients_.end(), {client, {}});
  return place->jobs;
}

void DeviceQueue::move_to_back(ClientId client) {
  const auto place = find(client);
  if (place == clients_.end()) return;
  clients_.splice(clients_.end(), clients_, place);
  if (place->jobs.empty()) clients_.erase(place);
}

bool DeviceQueue::is_in_turn(ClientId client, JobId job) const {
  return turn_.active && turn_.client == client && turn_.job == job;
}

void DeviceQueue::add(ClientId client, JobId job, Turn turn) {
  {
    const std::lock_guard lock(mutex_);
    jobs_of(client).push_back({job, std::move(turn)});
  }
  changed_.notify_all();
}

void DeviceQueue::cancel(ClientId client, JobId job) {
  const std::lock_guard lock(mutex_);
  if (is_in_turn(client, job)) turn_.cancelled = true;
  const auto place = find(client);
  if (place == clients_.end()) return;
  std::erase_if(place->jobs, [&](const Job& other) { return other.id == job; });
  if (place->jobs.empty()) clients_.erase(place);
}

void DeviceQueue::cancel_all(ClientId client) {
  const std::lock_guard lock(mutex_);
  if (turn_.active && turn_.client == client) turn_.cancelled = true;
  std::erase_if(clients_, [&](const Client& other) { return other.id == client; });
}

std::vector<DeviceQueue::JobId> DeviceQueue::cancel_waiting(ClientId client) {
  const std::lock_guard lock(mutex_);
  std::vector<JobId> cancelled;
  const auto place = find(client);
  if (place == clients_.end()) return cancelled;
  for (const Job& job : place->jobs) cancelled.push_back(job.id);
  clients_.erase(place);
  return cancelled;
}

void DeviceQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || !clients_.empty(); });
    if (stopping_) return;
    const ClientId id = clients_.front().id;
    Job job = std::move(clients_.front().jobs.front());
    clients_.front().jobs.pop_front();
    turn_ = {true, false, id, job.id};

    lock.unlock();
    const bool done = job.turn(slot_);
    if (done) job.turn = nullptr;  // releases its captures without the lock
    lock.lock();

    const bool goes_on = !done && !turn_.cancelled && !stopping_;
    turn_.active = false;
    if (goes_on) jobs_of(id).push_front(std::move(job));
    move_to_back(id);  // also after clients that arrived during the turn
    if (!goes_on && job.turn) {
      lock.unlock();
      job.turn = nullptr;
      lock.lock();
    }
  }
}

}  // namespace vta::rpc
