// SPDX-License-Identifier: Apache-2.0
//
// The report: schedule, stall reasons and resources of a design, as text and JSON.
#ifndef VTA_HW_HLSC_REPORT_REPORT_H_
#define VTA_HW_HLSC_REPORT_REPORT_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/estimate/register_times.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::report {

// Operations of one kind that may stall a stage for the same reason.
struct Stall {
  uint32_t stage = 0;
  std::string operation;  // without the name of the result
  std::string reason;     // what it waits for: "an item"
  std::string place;      // of the first of them
  uint32_t count = 0;
};

// The accesses of a RAM in a pipelined body.
struct RamUse {
  std::string ram;
  std::vector<uint32_t> reads, writes;  // stages
  bool has_output_register = false;     // the words that are read pass through it
  // Stages from the first read to the last write: iterations in them conflict on the same word.
  std::optional<uint32_t> distance;
};

struct NestReport {
  std::vector<std::string> loops;  // outermost first
  std::string place;               // of the pipelined loop
  uint32_t interval = 1, stages = 1;
  std::vector<Stall> stalls;
  std::vector<RamUse> rams;
};

struct ScheduledOperation {
  std::string loop;  // the loop whose head or body has it; "" outside loops
  bool in_head = false, in_nest = false;
  uint32_t step = 0;
  // When the result (of a RAM read: its index) is ready within the step. 0: it is computed with the
  // counters of a nest, in no stage.
  double ready_ns = 0;
  uint32_t value = 0;  // the number that its names in the Verilog end in
  std::string operation, place;
  // When the first register that holds the result has it, by the estimate of the netlist.
  std::optional<double> estimated_ns = std::nullopt;
};

struct ProcessReport {
  std::string name, place;
  // Control steps outside nests and one state for each nest; operations without constants and phis.
  size_t states = 0, operations = 0;
  uint64_t register_bits = 0;  // flip-flops, without those in DSP48E1s, by the same estimate
  uint32_t dsp48e1 = 0;
  // The period that the slowest of its registers needs, by the estimate of the netlist.
  std::optional<double> estimated_ns = std::nullopt;
  std::vector<NestReport> nests;
  std::vector<ScheduledOperation> schedule;  // in program order
};

struct MemoryReport {
  std::string name;
  bool is_fifo = false;  // else a RAM
  uint32_t width = 0, depth = 0, banks = 1;
  double ramb36 = 0;
};

struct Report {
  std::string design;
  double period_ns = 0;
  std::vector<ProcessReport> processes;
  std::vector<MemoryReport> memories;  // RAMs, and streams between processes
};

// `schedule` and `binding` are those of `design`.
Report report(const ir::Design& design, const schedule::Schedule& schedule,
              const bind::Binding& binding);

// Gives processes their register_bits, and processes and operations their estimated_ns.
void add_estimates(Report& report, const estimate::RegisterTimes& times);

// `with_operations`: also each operation, with its step or stage and its source line. Equal reports
// give equal bytes.
std::string text_of(const Report& report, bool with_operations);
std::string json_of(const Report& report, bool with_operations);

}  // namespace vta::hlsc::report

#endif  // VTA_HW_HLSC_REPORT_REPORT_H_
