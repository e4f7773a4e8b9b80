// SPDX-License-Identifier: Apache-2.0
//
// Admission: which unauthenticated connections keep their slots when there are too many. A flood
// must not keep honest clients out, so a new connection always gets a slot, and an older one gives
// way. That is one that has been refused already, otherwise one of the address with the most
// connections, the oldest first.
#ifndef VTA_RUNTIME_RPC_ADMISSION_H_
#define VTA_RUNTIME_RPC_ADMISSION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace vta::rpc {

class Admission {
 public:
  using Id = uint64_t;  // ascending in the order of arrival

  struct Limits {
    size_t connections = 256;            // of all addresses
    size_t connections_of_address = 32;  // of one
  };

  explicit Admission(const Limits& limits) : limits_(limits) {}

  // Adds a connection. Returns the one that gives way to it, which is removed; none if both limits
  // are kept. `address`: see address_group().
  std::optional<Id> add(Id id, const std::string& address);

  // The connection stays only until its client has read why it was refused.
  void mark_refused(Id id);

  // The connection has ended or has become a client; unknown ones are ignored.
  void remove(Id id);

  size_t size() const { return connections_.size(); }

 private:
  struct Connection {
    std::string address;
    bool refused = false;
  };

  // `address`: of this one only, if not empty.
  Id victim(const std::string& address) const;

  const Limits limits_;
  std::map<Id, Connection> connections_;
  std::map<std::string, size_t> num_of_address_;
};

// The part of an IP address that one machine cannot choose freely: all of IPv4, the first 64 bits
// of IPv6. `address` in its text form: "192.168.2.1", "2001:db8::1"; other text is returned as is.
std::string address_group(const std::string& address);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_ADMISSION_H_
