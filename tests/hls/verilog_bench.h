// SPDX-License-Identifier: Apache-2.0
//
// The testbench of one kernel of the Verilated model: provides input and memory, and consumes
// output, all at random times.
#ifndef VTA_TESTS_HLS_VERILOG_BENCH_H_
#define VTA_TESTS_HLS_VERILOG_BENCH_H_

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "tests/hls/interpreted.h"
#include "tests/hls/pace.h"
#include "tests/hls/trial.h"
#include "tests/hls/verilog_model.h"

namespace vta::kernels {

class VerilogBench {
 public:
  // A closed end of a stream opens in a cycle with a probability of `pace` percent; for the
  // kernel's own streams gaps() (pace.h) determines it.
  VerilogBench(KernelModel& model, const Trial& trial, uint64_t seed, int pace);

  void drive();   // before the clock edge: sets the kernel's inputs
  void sample();  // once they have settled: samples the kernel's outputs

  // Cycles since the last activity at the kernel's ports.
  uint64_t idle_cycles() const { return idle_cycles_; }
  // The items that moved so far, and DRAM.
  const Outcome& outcome() const { return outcome_; }
  // The cycles in which items moved, by stream.
  const std::map<std::string, std::vector<uint64_t>>& moves() const { return moves_; }

 private:
  struct End {
    StreamPins pins;
    bool open = false;                   // an item, or space, is available
    Gaps gaps;                           // for the kernel's own streams
    uint64_t due_cycle = 0;              // for the kernel's own streams: not open before
    std::deque<Item> items;              // of an input: remaining
    std::vector<Item>* taken = nullptr;  // of an output
  };
  struct Burst {
    uint32_t address, beats;
  };

  bool chance() { return random_.between(0, 99) < pace_; }
  void open(End& end, bool possible);
  void open_in_time(End& end, bool possible);
  void move(const std::string& name, End& end);
  void set(const StreamPins& pins, const Item& item);
  Item get(const StreamPins& pins) const;
  void drive_memory();
  void sample_memory();
  static Burst burst(const Item& request);

  KernelModel& model_;
  Random random_;
  int pace_;
  std::map<std::string, End> inputs_, outputs_;
  std::map<std::string, End> read_requests_, read_beats_, write_requests_, write_beats_;
  std::map<std::string, std::deque<Burst>> reads_, writes_;
  std::map<std::string, int> unanswered_;  // writes by port
  Outcome outcome_;
  std::map<std::string, std::vector<uint64_t>> moves_;
  uint64_t cycle_ = 0, idle_cycles_ = 0;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_VERILOG_BENCH_H_
