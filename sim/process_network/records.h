// SPDX-License-Identifier: Apache-2.0
//
// What a model notes down of its run for who asks for it: in which cycles registers were written
// that are there for the outside (no process reads them), and tokens moved.
#ifndef VTA_SIM_PROCESS_NETWORK_RECORDS_H_
#define VTA_SIM_PROCESS_NETWORK_RECORDS_H_

#include <vector>

#include "sim/process_network/stream.h"

namespace vta::process_network {

struct RegisterWrite {
  Cycle at;  // it shows in the next one
  uint64_t value;
};
// In order; of the writes outside of pipelined loops.
using RegisterLog = std::vector<RegisterWrite>;

struct TokenLog {
  std::vector<Cycle> pushes, pops;
};

// hls_tokens in time.
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
