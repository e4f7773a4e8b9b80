// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/admission.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <tuple>

namespace vta::rpc {

std::optional<Admission::Id> Admission::add(Id id, const std::string& address) {
  std::optional<Id> gives_way;
  const auto own = num_of_address_.find(address);
  if (own != num_of_address_.end() && own->second >= limits_.connections_of_address) {
    gives_way = victim(address);
  } else if (connections_.size() >= limits_.connections) {
    gives_way = victim("");
  }
  if (gives_way) remove(*gives_way);
  connections_[id] = {address};
  ++num_of_address_[address];
  return gives_way;
}

void Admission::mark_refused(Id id) {
  const auto found = connections_.find(id);
  if (found != connections_.end()) found->second.refused = true;
}

void Admission::remove(Id id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  const auto own = num_of_address_.find(found->second.address);
  if (--own->second == 0) num_of_address_.erase(own);
  connections_.erase(found);
}

Admission::Id Admission::victim(const std::string& address) const {
  // Refused before others, then those of the busiest address, then the oldest.
  const auto rank = [this](const auto& entry) {
    const auto& [id, connection] = entry;
    return std::tuple(!connection.refused,
                      connections_.size() - num_of_address_.at(connection.address), id);
  };
  auto best = connections_.end();
  for (auto entry = connections_.begin(); entry != connections_.end(); ++entry) {
    if (!address.empty() && entry->second.address != address) continue;
    if (best == connections_.end() || rank(*entry) < rank(*best)) best = entry;
  }
  return best->first;
}

std::string address_group(const std::string& address) {
  boost::system::error_code error;
  const auto parsed = boost::asio::ip::make_address(address, error);
  if (error || !parsed.is_v6()) return address;
  auto bytes = parsed.to_v6().to_bytes();
  if (parsed.to_v6().is_v4_mapped()) return address;
  std::fill(bytes.begin() + 8, bytes.end(), uint8_t{0});
  return boost::asio::ip::address_v6(bytes).to_string();
}

}  // namespace vta::rpc
