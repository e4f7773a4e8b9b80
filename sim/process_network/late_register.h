// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_PROCESS_NETWORK_LATE_REGISTER_H_
#define VTA_SIM_PROCESS_NETWORK_LATE_REGISTER_H_

#include <array>

#include "sim/process_network/process.h"

namespace vta::process_network {

// A register that the counters of a loop nest read while iterations that write it are in flight: it
// keeps a history of its values. `history`: greater than the maximum number of iterations in
// flight.
template <class Value, uint32_t history>
class LateRegister {
 public:
  explicit LateRegister(Value first = 0) : value_(first) {}

  const Value& value() const { return value_; }
  void write(Value value, Cycle at) {
    if (value == value_) return;
    changes_[num_changes_++ % history] = {at, value_};
    last_change_ = at;
    value_ = value;
  }
  // The value visible in cycle `at`: a write is visible from the next cycle on.
  Value seen_in(Cycle at) const {
    if (at > last_change_) return value_;
    Value value = value_;
    for (uint64_t i = num_changes_; i > 0 && num_changes_ - i < history; --i) {
      const Change& change = changes_[(i - 1) % history];
      if (change.at < at) break;
      value = change.before;
    }
    return value;
  }

 private:
  struct Change {
    Cycle at;
    Value before;
  };
  Value value_;
  Cycle last_change_ = 0;
  std::array<Change, history> changes_;
  uint64_t num_changes_ = 0;
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_LATE_REGISTER_H_
