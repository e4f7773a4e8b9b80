// SPDX-License-Identifier: Apache-2.0
//
// Runs the cycle models of kernels with the input of a trial, at the pace of a seed. Kernels with
// DRAM ports are left out: the kernel does not determine their timing.
#ifndef VTA_TESTS_HLS_CYCLE_MODEL_RUN_H_
#define VTA_TESTS_HLS_CYCLE_MODEL_RUN_H_

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "sim/process_network/bits.h"
#include "sim/process_network/stream.h"
#include "tests/hls/pace.h"
#include "tests/hls/trial.h"

namespace vta::kernels {

using Moves = std::map<std::string, std::vector<uint64_t>>;  // cycles of items, by stream
using CycleModelRun = std::function<Moves(const Trial& trial, uint64_t seed)>;

// By the name of the kernel's file. CycleModelSource generates this function.
std::map<std::string, CycleModelRun> cycle_models();

// One model while it runs.
class CycleTrial {
 public:
  CycleTrial(const Trial& trial, uint64_t seed) : trial_(trial), seed_(seed) {}

  template <unsigned width>
  void constant(const char* name, process_network::bits<width>& input) const {
    if (const auto found = trial_.constants.find(name); found != trial_.constants.end())
      input = value<process_network::bits<width>>(found->second);
  }
  template <class Content>
  void give(const char* name, process_network::InputStream<Content>& stream) const {
    const auto found = trial_.inputs.find(name);
    if (found == trial_.inputs.end()) return;
    Gaps gaps(seed_, pace_of(seed_), name);
    for (const Item& item : found->second) {
      stream.items.push_back(value<Content>(item));
      stream.gaps.push_back(gaps.next());
    }
  }
  template <class Content>
  void expect(const char* name, process_network::OutputStream<Content>& stream) const {
    const auto found = trial_.outputs.find(name);
    if (found == trial_.outputs.end()) return;
    size_t count = found->second.size();
    if (const auto ahead = trial_.outputs_ahead.find(name); ahead != trial_.outputs_ahead.end())
      count += ahead->second.size();
    Gaps gaps(seed_, pace_of(seed_), name);
    for (size_t i = 0; i < count; ++i) stream.gaps.push_back(gaps.next());
  }
  void run(process_network::ProcessNetwork& network) const {
    VTA_ASSERT(network.run(std::chrono::steady_clock::now() + std::chrono::seconds(20)),
               "a cycle model that does not end");
  }
  template <class Content>
  void take(const char* name, const process_network::InputStream<Content>& stream) {
    if (!stream.pop_cycles.empty()) moves[name] = stream.pop_cycles;
  }
  template <class Content>
  void take(const char* name, const process_network::OutputStream<Content>& stream) {
    if (!stream.push_cycles.empty()) moves[name] = stream.push_cycles;
  }

  Moves moves;

 private:
  template <class Value>
  static Value value(const Item& item) {
    Value result{};
    std::memcpy(&result, item.data(), std::min(sizeof result, item.size()));
    return result;
  }
  const Trial& trial_;
  uint64_t seed_;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_CYCLE_MODEL_RUN_H_
