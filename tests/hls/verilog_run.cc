// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/verilog_run.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "tests/hls/verilog_bench.h"

namespace vta::kernels {
namespace {

// Between two transfers at ports. A kernel that has sent all items is done; one that has not may
// compute for long (random ones did for 4,000 cycles).
constexpr uint64_t kMaxIdleCycles = 3000, kMaxComputingCycles = 100'000;

// Removes items after the expected ones that further input would have produced.
Outcome without_items_ahead(const Trial& trial, Outcome outcome) {
  for (const auto& [name, ahead] : trial.outputs_ahead) {
    std::vector<Item>& items = outcome.outputs[name];
    const size_t expected = trial.outputs.at(name).size();
    if (items.size() <= expected || items.size() - expected > ahead.size()) continue;
    const auto surplus = items.begin() + static_cast<ptrdiff_t>(expected);
    if (std::equal(surplus, items.end(), ahead.begin())) items.erase(surplus, items.end());
  }
  return outcome;
}

// One kernel; it is no longer driven after it violates the protocol of a port.
class Run {
 public:
  Run(KernelModel& model, const Kernel& kernel, uint64_t seed, int pace)
      : trial_(kernel.run(seed)), bench_(model, trial_, seed, pace) {}

  bool is_busy() {
    const uint64_t idle_cycles = bench_.idle_cycles();
    if (!broken_.empty() || idle_cycles >= kMaxComputingCycles) return false;
    if (idle_cycles < kMaxIdleCycles) return true;
    // Not in every cycle: comparing takes longer than a cycle of the model.
    if (idle_cycles % kMaxIdleCycles == 0) has_sent_all_ = difference().empty();
    return !has_sent_all_;
  }
  void drive() {
    guarded([&] { bench_.drive(); });
  }
  void sample() {
    guarded([&] { bench_.sample(); });
  }
  VerilogResult result() const {
    return {broken_.empty() ? difference() : broken_, bench_.moves()};
  }

 private:
  std::string difference() const {
    return kernels::difference(trial_, without_items_ahead(trial_, bench_.outcome()));
  }
  template <class Step>
  void guarded(Step step) {
    if (!broken_.empty()) return;
    try {
      step();
    } catch (const std::logic_error& error) {
      broken_ = error.what();
    }
  }

  Trial trial_;
  VerilogBench bench_;
  std::string broken_;
  bool has_sent_all_ = false;
};

}  // namespace

std::map<std::string, VerilogResult> run_in_verilog(VerilogModel& model,
                                                    const std::vector<Kernel>& kernels,
                                                    uint64_t seed) {
  std::map<std::string, std::unique_ptr<Run>> runs;
  for (const Kernel& kernel : kernels) {
    runs[kernel.name] =
        std::make_unique<Run>(model.kernels.at(kernel.name), kernel, seed, pace_of(seed));
  }
  const auto edge = [&](bool rst) { model.eval(true, rst), model.eval(false, rst); };
  for (auto& [name, run] : runs) run->drive();
  for (int i = 0; i < 4; ++i) edge(true);
  for (bool busy = true; busy;) {
    busy = false;
    for (auto& [name, run] : runs) run->drive();
    model.eval(false, false);
    for (auto& [name, run] : runs) run->sample();
    edge(false);
    for (auto& [name, run] : runs) busy |= run->is_busy();
  }
  std::map<std::string, VerilogResult> results;
  for (auto& [name, run] : runs) results[name] = run->result();
  return results;
}

}  // namespace vta::kernels
