// SPDX-License-Identifier: Apache-2.0
//
// When each operation of a process happens.
//
// A process is a finite state machine over the control steps of its sequences. Sequences outside
// pipelined loops have one state a step; a step lasts until the operation in it that may wait is
// done. A nest (a pipelined loop, and the loops around it whose own operations are all pure) is one
// engine: its counters are computed in one stage and issue an iteration every initiation interval;
// an iteration moves through the stages of the body, and a stage that has to wait holds itself and
// all younger ones. A nest is left when its pipeline is empty.
//
// Timing of results: those of kRamRead are there in the step (or stage) after theirs, all others in
// the same step, after the operation's delay.
#ifndef VTA_HW_HLSC_SCHEDULE_SCHEDULE_H_
#define VTA_HW_HLSC_SCHEDULE_SCHEDULE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

struct Options {
  double period_ns = 10.0;  // of the clock
  double margin_ns = 1.5;   // kept for routing and clock skew
};

constexpr uint32_t kUnscheduled = ~uint32_t{0};  // constants and phis

// A RAM in a pipelined body.
struct RamUse {
  ir::ObjectId ram;
  std::vector<uint32_t> read_stages;  // ascending; more than initiation_interval of them: a dynamic
                                      // port, of which iterations take turns
  uint32_t write_stage = kUnscheduled;
};

struct Nest {
  std::vector<const ir::Loop*> levels;  // outermost first; the last is the pipelined loop
  uint32_t initiation_interval = 1;
  uint32_t stages = 1;
  std::vector<RamUse> rams;
  double control_ns = 0;  // longest path of the counters
};

struct ProcessSchedule {
  // By ValueId. In a sequence outside nests: its control step. In the pipelined body: its stage. In
  // the other sequences of a nest: 0.
  std::vector<uint32_t> step;
  std::vector<double> ready_ns;                       // within its step
  std::map<const ir::Sequence*, uint32_t> num_steps;  // of every sequence outside nests; at least 1
  std::map<const ir::Loop*, uint32_t> loop_step;      // the step that a loop (or nest, by its
                                                      // outermost loop) has for itself
  std::vector<Nest> nests;
};

struct Schedule {
  Options options;
  std::vector<ProcessSchedule> processes;  // parallel to Design::processes
};

// `design` must have been through transform::prepare() and outlive the result.
// Errors: kInvalidArgument "file:line: ..." when an initiation interval cannot be had, naming what
// limits it (a port, a register's recurrence) and the interval that could be.
Schedule schedule(const ir::Design& design, const Options& options);

// Checks a schedule by rules of its own (README.md lists them), not by the scheduler's code.
// Errors: kInvalidArgument naming the process, the operations and the rule.
void check(const ir::Design& design, const Schedule& schedule);

// Per process: states, nests with interval, stages, memory ports and their distance, registers,
// estimated DSP and BRAM; each operation with its step and source line if `operations`.
std::string report_text(const ir::Design& design, const Schedule& schedule, bool operations);
std::string report_json(const ir::Design& design, const Schedule& schedule);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SCHEDULE_H_
