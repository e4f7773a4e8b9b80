// SPDX-License-Identifier: Apache-2.0
//
// A schedule: the control step or pipeline stage of each operation. scheduler.h makes one, check.h
// verifies it.
//
// A process is a finite state machine over the control steps of its sequences. Outside nests a
// step is a state; it lasts until the operations in it that may wait are done. A nest
// (passes/nest.h) is one engine: its counters are computed in one stage and issue an iteration
// every initiation interval. An iteration moves through the stages of the body; a stalled stage
// stalls itself and all earlier stages. A nest is left when its pipeline is empty.
//
// Results are available in the step (or stage) of the operation, after its delay; the word of a
// kRamRead is available one step later. In a pipelined body a word may wait for another stage
// (ProcessSchedule::late_words), in which it still receives writes of older iterations. Or it
// passes through the RAM's output register (registered_words) and is available a stage later.
#ifndef VTA_HW_HLSC_SCHEDULE_SCHEDULE_H_
#define VTA_HW_HLSC_SCHEDULE_SCHEDULE_H_

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

struct Options {
  double period_ns = 10.0;  // of the clock
  double margin_ns = 1.0;   // kept for setup times, clock skew and longer nets
  // Reads in bodies pass through the output register of their RAM wherever they can, even if that
  // adds a stage (output_registers.h).
  bool ram_output_registers = false;
};

constexpr uint32_t kUnscheduled = ~uint32_t{0};  // constants and phis

struct Nest {
  std::vector<const ir::Loop*> levels;  // outermost first; the last is the pipelined loop
  uint32_t initiation_interval = 1;
  uint32_t stages = 1;
  // emit writes counters and stall conditions for time instead of LUTs: for clocks that are faster
  // than the default one.
  bool short_paths = false;
};

struct ProcessSchedule {
  // By ValueId. In a sequence outside nests: its control step. In a pipelined body: its stage. In
  // the other sequences of a nest: 0.
  std::vector<uint32_t> step;
  // By ValueId: when the result is available within its step; of a RAM read, its index.
  std::vector<double> ready_ns;
  std::set<ir::ValueId> late_words;  // RAM reads in bodies whose word is available two stages later
  // RAM reads in bodies whose word is available two stages later, from the RAM's output register.
  std::set<ir::ValueId> registered_words;
  // Sums in bodies that are available one stage later: their partial sums wait in registers.
  std::set<ir::ValueId> split_sums;
  std::map<const ir::Sequence*, uint32_t> num_steps;  // of every sequence outside nests; at least 1
  // The step at whose end a loop (of a nest: the outermost) is entered. The next step follows the
  // loop.
  std::map<const ir::Loop*, uint32_t> entry_step;
  std::map<const ir::Loop*, Nest> nests;  // by the outermost loop
};

struct Schedule {
  Options options;
  std::vector<ProcessSchedule> processes;  // parallel to Design::processes
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SCHEDULE_H_
