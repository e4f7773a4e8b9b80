// SPDX-License-Identifier: Apache-2.0
//
// Arbiter: a RAM port, or the ports of the banks of a RAM, shared by several processes with fixed
// priority.
#ifndef VTA_SIM_PROCESS_NETWORK_ARBITER_H_
#define VTA_SIM_PROCESS_NETWORK_ARBITER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sim/process_network/process.h"

namespace vta::process_network {

class Arbiter {
 public:
  // `clients`: by descending priority; a client is identified by its index.
  explicit Arbiter(std::vector<const Process*> clients)
      : network_(clients.front()->network()),
        clients_(std::move(clients)),
        requests_(clients_.size()),
        forgotten_(clients_.size(), 0),
        windows_(clients_.size()) {}

  // Requests the port of `bank` in the cycles [from, to].
  void request(size_t client, Cycle from, Cycle to, uint32_t bank) {
    if (client + 1 == clients_.size()) return;  // the lowest priority blocks no other client
    requests_[client].add(from, to, bank);
  }
  // True if a client of lower priority may query a cycle that `client` has not reached yet.
  // Otherwise all of them wait for `client`, so its requests until it wakes them are never queried.
  bool is_watched(size_t client) const {
    for (size_t other = client + 1; other < clients_.size(); ++other)
      if (!clients_[other]->waits_for(*clients_[client])) return true;
    return false;
  }
  // True if the requests of all clients of higher priority in cycle `at` are known.
  bool knows(size_t client, Cycle at) const {
    for (size_t other = 0; other < client; ++other) {
      if (clients_[other]->now > at) continue;
      if (!network_.knows(*clients_[client], at)) return false;
    }
    return true;
  }
  // True if no client of higher priority requests the port in cycle `at`. Requires knows().
  bool grants(size_t client, Cycle at, uint32_t bank) const {
    for (size_t other = 0; other < client; ++other) {
      if (requests_[other].has(at, bank)) return false;
    }
    return true;
  }
  // True if it is known that no client of higher priority requests the port in cycle `at`. Looks at
  // several cycles at once: what it finds holds until a process is resumed or woken.
  bool is_free(size_t client, Cycle at, uint32_t bank) {
    const Window& window = windows_[client];
    if (at >= window.from && at < window.to && bank == window.bank &&
        window.epoch == network_.epoch())
      return true;
    return look(client, at, bank);
  }
  // `client` will not query cycles before `at` any more.
  void forget(size_t client, Cycle at) {
    forgotten_[client] = at;
    for (size_t other = client + 1; other < clients_.size(); ++other)
      if (forgotten_[other] < at) at = forgotten_[other];
    for (size_t other = 0; other < client; ++other) requests_[other].forget(at);
  }

 private:
  struct Request {
    Cycle from, to;
    Cycle reach;  // the last cycle of this request and of those before it
    uint32_t bank;
  };
  struct Requests {
    std::vector<Request> all;   // ordered by `from`
    size_t first = 0;           // requests before it are forgotten
    mutable size_t cursor = 0;  // near the last query

    void add(Cycle from, Cycle to, uint32_t bank) {
      if (!all.empty() && all.back().bank == bank && all.back().to + 1 >= from &&
          all.back().from <= from) {
        all.back().to = std::max(all.back().to, to);
        all.back().reach = std::max(all.back().reach, to);
        return;
      }
      size_t place = all.size();
      while (place > 0 && all[place - 1].from > from) --place;
      const Cycle before = place == 0 ? 0 : all[place - 1].reach;
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(place),
                 {from, to, std::max(before, to), bank});
      for (size_t i = place + 1; i < all.size(); ++i) all[i].reach = std::max(all[i].reach, to);
    }
    bool has(Cycle at, uint32_t bank) const {
      size_t i = std::clamp(cursor, first, all.size());
      while (i > first && all[i - 1].from > at) --i;
      while (i < all.size() && all[i].from <= at) ++i;
      cursor = i;
      for (; i > first && all[i - 1].reach >= at; --i)
        if (all[i - 1].to >= at && all[i - 1].bank == bank) return true;
      return false;
    }
    // The first cycle from `at` on with a request for the bank, or an earlier one.
    Cycle next(Cycle at, uint32_t bank) const {
      size_t i = std::clamp(cursor, first, all.size());
      while (i > first && all[i - 1].reach >= at) --i;
      while (i < all.size() && all[i].to < at) ++i;
      cursor = i;
      for (const size_t last = i + kMaxOtherBanks; i < all.size(); ++i) {
        if (i == last || (all[i].bank == bank && all[i].to >= at)) return std::max(at, all[i].from);
      }
      return kNever;
    }
    void forget(Cycle at) {
      while (first < all.size() && all[first].to < at) ++first;
      if (first == all.size()) {
        all.clear();
        first = 0;
      } else if (first > kMaxForgotten) {
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
        first = 0;
      }
    }
    static constexpr size_t kMaxForgotten = 4096;
    static constexpr size_t kMaxOtherBanks = 8;
  };
  // Cycles in which a bank is known to be free for a client.
  struct Window {
    Cycle from = 0, to = 0;
    uint32_t bank = 0;
    uint64_t epoch = 0;
  };
  [[gnu::noinline]] bool look(size_t client, Cycle at, uint32_t bank) {
    const Process& process = *clients_[client];
    Cycle to = kNever;
    for (size_t other = 0; other < client; ++other)
      to = std::min(
          {to, network_.known_to(process, *clients_[other]), requests_[other].next(at, bank)});
    if (to <= at) return false;
    windows_[client] = {at, to, bank, network_.epoch()};
    return true;
  }
  const ProcessNetwork& network_;
  std::vector<const Process*> clients_;
  std::vector<Requests> requests_;
  std::vector<Cycle> forgotten_;
  std::vector<Window> windows_;  // by client
};

// The ports that a process needs in one cycle.
template <size_t max_ports>
class PortRequests {
 public:
  void add(Arbiter& port, size_t client, uint32_t bank) { all_[count_++] = {&port, client, bank}; }
  bool none() const { return count_ == 0; }

  void request(Cycle from, Cycle to) const {
    for (const One& one : all()) one.port->request(one.client, from, to, one.bank);
  }
  bool known(Cycle at) const {
    for (const One& one : all())
      if (!one.port->knows(one.client, at)) return false;
    return true;
  }
  bool granted(Cycle at) const {
    for (const One& one : all())
      if (!one.port->grants(one.client, at, one.bank)) return false;
    return true;
  }
  void forget(Cycle at) const {
    for (const One& one : all()) one.port->forget(one.client, at);
  }

  // Returns the first cycle from `from` on in which all ports are granted. The wait is recorded
  // from cycle `since` on.
  Cycle wait(Process& process, Cycle from, uint32_t object, Cycle since) const {
    forget(from);
    for (Cycle at = from;; ++at) {
      request(at, at);
      while (!known(at)) {
        process.now = at;
        process.wait_at_gate(at);
      }
      if (!granted(at)) continue;
      process.waited(object, since, at);
      return at;
    }
  }

 private:
  struct One {
    Arbiter* port;
    size_t client;
    uint32_t bank;
  };
  std::span<const One> all() const { return {all_.data(), count_}; }
  std::array<One, max_ports> all_;
  size_t count_ = 0;
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_ARBITER_H_
