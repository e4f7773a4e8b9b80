// SPDX-License-Identifier: Apache-2.0
//
// Logs of a cycle model: the cycles of token movements, and of writes to output registers, which no
// process reads.
#ifndef VTA_SIM_PROCESS_NETWORK_RECORDS_H_
#define VTA_SIM_PROCESS_NETWORK_RECORDS_H_

#include <vector>

#include "sim/process_network/stream.h"

namespace vta::process_network {

struct RegisterWrite {
  Cycle at;  // visible in the next cycle
  uint64_t value;
};
// In order; without writes in pipelined loops.
using RegisterLog = std::vector<RegisterWrite>;

struct TokenLog {
  std::vector<Cycle> pushes, pops;
};

// The timing of hls_tokens, with a log.
template <uint32_t depth>
class Tokens : public Stream<NoContent, depth, 1> {
  using Base = Stream<NoContent, depth, 1>;

 public:
  TokenLog* log = nullptr;

  NoContent pop(Cycle at) {
    if (log != nullptr) log->pops.push_back(at);
    return Base::pop(at);
  }
  void push(Cycle at, NoContent item) {
    if (log != nullptr) log->pushes.push_back(at);
    Base::push(at, item);
  }
};

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_RECORDS_H_
