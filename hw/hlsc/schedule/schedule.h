// SPDX-License-Identifier: Apache-2.0
//
// When each operation of a process happens.
//
// A process is a finite state machine over the control steps of its sequences. Outside nests a
// step is a state; it lasts until the operations in it that may wait are done. A nest
// (transform/nest.h) is one engine: its counters are computed in one stage and issue an iteration
// every initiation interval; an iteration moves through the stages of the body, and a stage that
// has to wait holds itself and all younger ones. A nest is left when its pipeline is empty.
//
// Timing of results: those of kRamRead are there in the step (or stage) after theirs, all others in
// the same step, after the operation's delay. In a pipelined body a word may wait another stage
// (ProcessSchedule::late_words), in which it still takes in what older iterations write to it.
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
  double margin_ns = 1.5;   // kept for routing and clock skew
};

constexpr uint32_t kUnscheduled = ~uint32_t{0};  // constants and phis

struct Nest {
  std::vector<const ir::Loop*> levels;  // outermost first; the last is the pipelined loop
  uint32_t initiation_interval = 1;
  uint32_t stages = 1;
};

struct ProcessSchedule {
  // By ValueId. In a sequence outside nests: its control step. In a pipelined body: its stage. In
  // the other sequences of a nest: 0.
  std::vector<uint32_t> step;
  std::vector<double> ready_ns;      // within its step; of a RAM's word within the next one
  std::set<ir::ValueId> late_words;  // reads of RAMs in bodies whose word is there two stages later
  std::map<const ir::Sequence*, uint32_t> num_steps;  // of every sequence outside nests; at least 1
  // The step at whose end a loop (of a nest: the outermost) is entered. After the loop the step
  // that follows it comes.
  std::map<const ir::Loop*, uint32_t> entry_step;
  std::map<const ir::Loop*, Nest> nests;  // by the outermost loop
};

struct Schedule {
  Options options;
  std::vector<ProcessSchedule> processes;  // parallel to Design::processes
};

// `design` must have been through passes::legalize() and outlive the result.
// Errors: kInvalidArgument "file:line: ..." when an initiation interval cannot be had, naming what
// limits it (a port, a register's recurrence) and the interval that could be, and for a halt in a
// pipelined loop.
Schedule schedule(const ir::Design& design, const Options& options);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SCHEDULE_H_
